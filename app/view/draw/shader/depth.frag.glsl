// What stands in the sun's way: nothing but its depth.
void main()
{
}
