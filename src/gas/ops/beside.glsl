// beside.glsl: faces of solids that move, for twins: gas/ops/beside.h. A face is a gy_gas_face: the
// sample, below, above, two cells, mover and axis and kind, shut, velocity, dragged, two arms, and
// weights, two a word.
const int FACE_WORDS = 14;

int gy_face_axis(uint64_t faces, int w)
{
    return int(uints(faces, w + 5).v >> 16 & 255u);
}

uint gy_face_kind(uint64_t faces, int w)
{
    return uints(faces, w + 5).v >> 24;
}

// The sample beside a face's, one way or the other, round a periodic axis; it may lie outside.
ivec3 gy_face_beside(gy_extent e, uint periodic, int own, int way)
{
    ivec3 p, n = ivec3(e.n);
    int axis = way / 2;
    p.z = e.dim == 3 ? own / e.sz : 0;
    p.y = (own - p.z * e.sz) / e.sy;
    p.x = own - p.z * e.sz - p.y * e.sy;
    p[axis] += (way & 1) != 0 ? 1 : -1;
    if ((periodic >> axis & 1u) != 0) {
        p[axis] = (p[axis] + n[axis]) % n[axis];
    }
    return p;
}
