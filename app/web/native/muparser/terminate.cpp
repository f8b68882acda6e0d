// web/native/muparser/terminate.cpp: what happens to an exception that nobody catches, in the place of the C++
// library's own, which has the whole reader of mangled names to say whose it was. muParser's are caught where its C
// functions end.
#include <cstdlib>
#include <exception>

extern "C" {
std::terminate_handler __cxa_terminate_handler = std::abort;
std::unexpected_handler __cxa_unexpected_handler = std::abort;
}

namespace std
{
terminate_handler set_terminate(terminate_handler) noexcept
{
    return std::abort;
}
unexpected_handler set_unexpected(unexpected_handler) noexcept
{
    return std::abort;
}
} // namespace std
