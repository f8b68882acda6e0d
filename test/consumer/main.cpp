// The same from C++17: every header, and an error that comes back as a message.
#include <gyre/gyre.h>

#include <iostream>
#include <string>

int main()
{
    gyre_device_def def = gyre_default_device_def();
    def.isa = "no such set";
    gyre_device *device = nullptr;
    if (gyre_device_create(&def, &device) != GYRE_ERROR_ARGUMENT)
        return 1;
    const std::string message = gyre_message();
    std::cout << message << '\n';
    return message.find("baseline") == std::string::npos;
}
