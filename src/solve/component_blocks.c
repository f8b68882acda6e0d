// solve/component_blocks.c: component coarsening: which parts the cells of a block fall into, and
// what joins the parts of neighbouring blocks.
//
// The coarse coefficient between two parts is the sum of the fine ones between their cells, times
// the ratio of distances, as ops/system/coarsen.c makes it for whole blocks. The largest part of a
// block is the grid's cell of the coarse level, the others are extras. A coarse level's periodic
// axis with an odd number of cells has a seam, where neighbours are of one colour: blocks at a seam
// are not taken apart.
#include "solve/components.h"
#include "solve/faces.h"

#include <string.h>

/// A cell of a block: of the grid or an extra (~it).
typedef struct node {
    int32_t item, parent;
    float volume;
    uint8_t live, leaves; // joined to anything; to anything outside the block
    uint8_t inner;        // bits of axes along which it is no last cell
    int32_t number;       // of a part's first node: the part's
} node;

/// What a part of a block is joined to.
typedef struct joint_sum {
    int32_t to, way, next;
    double open;
} joint_sum;

/// Zeroed memory that lives until the builder is done.
static void *take(gy_builder *builder, size_t bytes)
{
    gy_chunk *chunks = builder->chunks;
    int at = 0;
    bytes = (bytes + 63) / 64 * 64;
    while (at < builder->chunk_count && chunks[at].used + bytes > chunks[at].bytes) {
        at++;
    }
    if (at == builder->chunk_count) {
        size_t size = GY_MAX(at > builder->lent ? 2 * chunks[at - 1].bytes : 65536, bytes);
        void *data = at < GY_COUNT(builder->chunks) ? gy_allocate(builder->host, size, 64) : NULL;
        if (!data) {
            return NULL;
        }
        chunks[builder->chunk_count++] = (gy_chunk){.data = data, .bytes = size};
    }
    void *memory = (char *)chunks[at].data + chunks[at].used;
    chunks[at].used += bytes;
    if (at < builder->lent) {
        memset(memory, 0, bytes);
    }
    return memory;
}

void *gy_pile_push(gy_builder *builder, gy_pile *p, size_t bytes)
{
    if (p->used + bytes > p->bytes || !p->data) {
        size_t size = GY_MAX(2 * p->bytes, GY_MAX(p->used + bytes, (size_t)64));
        void *data = take(builder, size);
        if (!data) {
            return NULL;
        }
        if (p->used > 0) {
            memcpy(data, p->data, p->used);
        }
        p->data = data;
        p->bytes = size;
    }
    void *at = (char *)p->data + p->used;
    p->used += bytes;
    return at;
}

bool gy_pile_reserve(gy_builder *builder, gy_pile *p, size_t bytes)
{
    size_t used = p->used;
    bool there = used + bytes <= p->bytes || gy_pile_push(builder, p, bytes) != NULL;
    p->used = used;
    return there;
}

void *gy_pile_refill(gy_builder *builder, gy_pile *p, size_t bytes)
{
    p->used = 0;
    return gy_pile_push(builder, p, bytes);
}

gy_coarse_block gy_coarse_block_at(const gy_level_build *f, const gy_level_build *c, int i, int j,
                                   int k)
{
    gy_coarse_block b = {.at = {i, j, k}, .cell = gy_cell_number(c, i, j, k)};
    for (int a = 0; a < 3; a++) {
        int step = f->n[a] > 1 ? 2 : 1;
        b.low[a] = step * b.at[a];
        b.high[a] = b.at[a] == c->n[a] - 1 ? f->n[a] : b.low[a] + step;
    }
    return b;
}

/// The block of a fine cell.
static int32_t block_of(const gy_level_build *f, const gy_level_build *c, int32_t cell)
{
    int at[3];
    gy_cell_at(f, cell, at);
    for (int a = 0; a < 3; a++) {
        at[a] = f->n[a] > 1 ? GY_MIN(at[a] / 2, c->n[a] - 1) : 0;
    }
    return gy_cell_number(c, at[0], at[1], at[2]);
}

int gy_grid_joints(const gy_level_build *s, const int at[3], gy_joint out[6])
{
    int count = 0;
    for (int a = 0; a < s->dim; a++) {
        // Round an axis of one cell a cell is its own neighbour.
        for (int up = 0; up < 2 && s->g.l->scale[a] > 0.0f; up++) {
            int face[3] = {at[0], at[1], at[2]}, to[3] = {at[0], at[1], at[2]};
            face[a] += up;
            to[a] += 2 * up - 1;
            uint16_t open = *gy_coefficient(&s->g, a, face[0], face[1], face[2]);
            if (!open) {
                continue;
            }
            bool inside = to[a] >= 0 && to[a] < s->n[a];
            if (!inside && (s->g.l->periodic >> a & 1u)) {
                to[a] = up ? 0 : s->n[a] - 1;
                inside = true;
            }
            out[count++] = (gy_joint){.to = inside ? gy_cell_number(s, to[0], to[1], to[2])
                                                   : (int32_t)GY_BEYOND,
                                      .way = 2 * a + up,
                                      .open = (float)open};
        }
    }
    return count;
}

void gy_joints_of(const gy_level_build *s, int32_t item, gy_joints *out)
{
    out->count[0] = 0;
    out->list[0] = out->face;
    if (item < 0) {
        const gy_component *part = (const gy_component *)s->parts.data + ~item;
        out->count[1] = part[1].first - part->first;
        out->list[1] =
            out->count[1] > 0 ? (const gy_joint *)s->joints.data + part->first : out->face;
        return;
    }
    int at[3], first = gy_first_of(&s->touch_first, item);
    gy_cell_at(s, item, at);
    out->count[0] = gy_grid_joints(s, at, out->face);
    out->count[1] = gy_first_of(&s->touch_first, item + 1) - first;
    out->list[1] = out->count[1] > 0 ? (const gy_joint *)s->touch.data + first : out->face;
}

/// Whether every cell of a block hangs together for certain, and no extra is near.
static bool whole(const gy_level_build *f, const gy_coarse_block *b)
{
    for (int k = b->low[2]; k < b->high[2]; k++) {
        for (int j = b->low[1]; j < b->high[1]; j++) {
            int32_t cell = gy_cell_number(f, b->low[0], j, k), end = cell + b->high[0] - b->low[0];
            if (gy_first_of(&f->first, end) > gy_first_of(&f->first, cell) ||
                gy_first_of(&f->touch_first, end) > gy_first_of(&f->touch_first, cell)) {
                return false;
            }
        }
    }
    // A block of three may reach into the next group.
    int group = b->low[0] / (2 * GY_GROUP);
    bool uniform = b->high[0] - b->low[0] <= 2;
    for (int k = b->low[2]; k < b->high[2]; k++) {
        for (int j = b->low[1]; j < b->high[1]; j++) {
            uniform = uniform && gy_level_flags(&f->g, j, k)[group];
        }
    }
    for (int k = b->low[2]; k < b->high[2] && !uniform; k++) {
        for (int j = b->low[1]; j < b->high[1]; j++) {
            for (int i = b->low[0]; i < b->high[0]; i++) {
                if ((i > b->low[0] && !*gy_coefficient(&f->g, 0, i, j, k)) ||
                    (j > b->low[1] && !*gy_coefficient(&f->g, 1, i, j, k)) ||
                    (k > b->low[2] && !*gy_coefficient(&f->g, 2, i, j, k))) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// Whether extras lie in a block or touch it.
static bool has_extras(const gy_level_build *f, const gy_coarse_block *b)
{
    bool has = false;
    for (int k = b->low[2]; k < b->high[2] && f->extras > 0; k++) {
        for (int j = b->low[1]; j < b->high[1]; j++) {
            int32_t cell = gy_cell_number(f, b->low[0], j, k), end = cell + b->high[0] - b->low[0];
            has = has || gy_first_of(&f->first, end) > gy_first_of(&f->first, cell) ||
                  gy_first_of(&f->touch_first, end) > gy_first_of(&f->touch_first, cell);
        }
    }
    return has;
}

/// The faces across one axis of the eight places of a block, at bits x + 2 y + 4 z: the lower faces
/// of its cells, or the upper ones.
static unsigned block_faces(const gy_level_build *f, const gy_coarse_block *b, int axis, int up)
{
    unsigned open = 0;
    for (int c = 0; c < 8; c++) {
        int at[3];
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            at[a] = b->low[a] + (c >> a & 1);
            inside = inside && at[a] < b->high[a];
            at[a] += a == axis ? up : 0;
        }
        open |= inside && *gy_coefficient(&f->g, axis, at[0], at[1], at[2]) ? 1u << c : 0;
    }
    return open;
}

/// Whether the cells of a block that are joined to anything hang together within it, of a block of
/// two cells or one along each axis that no extra is near: then all of it is the coarse cell.
static bool hangs_together(const gy_level_build *f, const gy_coarse_block *b)
{
    static const unsigned upper[3] = {0xaa, 0xcc, 0xf0};
    unsigned inner[3] = {0}, live = 0;
    for (int a = 0; a < 3; a++) {
        if (b->high[a] - b->low[a] > 2) {
            return false;
        }
        if (a < f->dim && f->g.l->scale[a] > 0.0f) {
            unsigned low = block_faces(f, b, a, 0), high = block_faces(f, b, a, 1);
            live |= low | high;
            inner[a] = low & upper[a]; // to the place before it
        }
    }
    unsigned seen = live & (~live + 1u), last;
    do {
        last = seen;
        for (int a = 0; a < 3; a++) {
            int step = 1 << a;
            seen |= (seen << step & inner[a]) | (seen & inner[a]) >> step;
        }
    } while (seen != last);
    return seen == live;
}

/// Whether the cells of such a block that are joined to anything hang together within it and one
/// cell round it. Four places along each axis are bits x + 4 y + 16 z.
static bool hangs_together_near(const gy_level_build *f, const gy_coarse_block *b)
{
    static const uint64_t beyond_first[3] = {0xeeeeeeeeeeeeeeeeu, 0xfff0fff0fff0fff0u,
                                             0xffffffffffff0000u};
    uint64_t low[3] = {0}, live = 0, own = 0;
    for (int a = 0; a < 3; a++) {
        if (b->high[a] - b->low[a] > 2) {
            return false;
        }
    }
    for (int c = 0; c < 64; c++) {
        const int place[3] = {c & 3, c >> 2 & 3, c >> 4};
        int at[3];
        bool inside = true, in_block = true;
        for (int a = 0; a < 3; a++) {
            at[a] = b->low[a] - 1 + place[a];
            inside = inside && at[a] >= 0 && at[a] < f->n[a];
            in_block = in_block && at[a] >= b->low[a] && at[a] < b->high[a];
        }
        for (int a = 0; a < f->dim && inside; a++) {
            if (!(f->g.l->scale[a] > 0.0f)) {
                continue;
            }
            int above[3] = {at[0], at[1], at[2]};
            above[a]++;
            bool open = *gy_coefficient(&f->g, a, at[0], at[1], at[2]) != 0;
            low[a] |= (uint64_t)(open && at[a] > 0) << c;
            open = open || *gy_coefficient(&f->g, a, above[0], above[1], above[2]);
            live |= (uint64_t)open << c;
        }
        own |= (uint64_t)(inside && in_block) << c;
    }
    uint64_t wanted = live & own, seen = wanted & (~wanted + 1u), last;
    do {
        last = seen;
        for (int a = 0; a < 3; a++) {
            int step = 1 << 2 * a;
            uint64_t inner = low[a] & beyond_first[a]; // to the place before it
            seen |= (seen << step & inner) | (seen & inner) >> step;
        }
    } while (seen != last);
    return (wanted & ~seen) == 0;
}

/// Whether a coarse cell lies at a seam.
static bool at_seam(const gy_level_build *c, const int at[3])
{
    bool seam = false;
    for (int a = 0; a < c->dim; a++) {
        bool odd = (c->g.l->periodic >> a & 1u) && c->n[a] > 1 && c->n[a] % 2 != 0;
        seam = seam || (odd && (at[a] == 0 || at[a] == c->n[a] - 1));
    }
    return seam;
}

static int32_t root_of(node *nodes, int32_t q)
{
    while (nodes[q].parent != q) {
        nodes[q].parent = nodes[nodes[q].parent].parent;
        q = nodes[q].parent;
    }
    return q;
}

/// Where the extras of each cell of a block start among its nodes.
typedef struct node_index {
    int32_t extras[27];
} node_index;

static int local_of(const gy_coarse_block *b, int i, int j, int k)
{
    int nx = b->high[0] - b->low[0], ny = b->high[1] - b->low[1];
    return (i - b->low[0]) + nx * ((j - b->low[1]) + ny * (k - b->low[2]));
}

/// The nodes of a block: first its cells of the grid, so that the parts that hold some have low
/// numbers, then the extras of each; -1: no memory.
static int gather(gy_builder *builder, const gy_level_build *f, const gy_coarse_block *b,
                  node_index *index)
{
    int cells = 1, count;
    for (int a = 0; a < 3; a++) {
        cells *= b->high[a] - b->low[a];
    }
    count = cells;
    if (!gy_pile_refill(builder, &builder->nodes, (size_t)cells * sizeof(node))) {
        return -1;
    }
    for (int k = b->low[2]; k < b->high[2]; k++) {
        for (int j = b->low[1]; j < b->high[1]; j++) {
            for (int i = b->low[0]; i < b->high[0]; i++) {
                int32_t cell = gy_cell_number(f, i, j, k), e = gy_first_of(&f->first, cell);
                int here = local_of(b, i, j, k), extras = gy_first_of(&f->first, cell + 1) - e;
                uint8_t inner =
                    (uint8_t)((i < f->n[0] - 1) | (j < f->n[1] - 1) << 1 | (k < f->n[2] - 1) << 2);
                node *n = gy_pile_push(builder, &builder->nodes, (size_t)extras * sizeof *n);
                if (!n) {
                    return -1;
                }
                index->extras[here] = count;
                ((node *)builder->nodes.data)[here] =
                    (node){.item = cell, .parent = here, .volume = 1.0f, .inner = inner};
                for (int q = 0; q < extras; q++, e++, count++) {
                    n[q] = (node){.item = ~e,
                                  .parent = count,
                                  .volume = ((const gy_component *)f->parts.data)[e].volume,
                                  .inner = inner};
                }
            }
        }
    }
    return count;
}

/// Unites the nodes of a block that are joined within it.
static void unite(const gy_builder *builder, const gy_level_build *f, const gy_level_build *c,
                  const gy_coarse_block *b, const node_index *index, int count)
{
    node *nodes = builder->nodes.data;
    for (int q = 0; q < count; q++) {
        gy_joints joints;
        gy_joints_of(f, nodes[q].item, &joints);
        nodes[q].live = joints.count[0] + joints.count[1] > 0;
        for (int s = 0; s < 2; s++) {
            for (int t = 0; t < joints.count[s]; t++) {
                int32_t to = joints.list[s][t].to;
                int32_t cell = to == GY_BEYOND ? -1
                               : to >= 0       ? to
                                               : ((const gy_component *)f->parts.data)[~to].cell;
                if (cell < 0 || block_of(f, c, cell) != b->cell) {
                    nodes[q].leaves = 1;
                    continue;
                }
                int at[3];
                gy_cell_at(f, cell, at);
                int32_t other = local_of(b, at[0], at[1], at[2]);
                if (to < 0) {
                    other = index->extras[other] + ~to - gy_first_of(&f->first, cell);
                }
                int32_t x = root_of(nodes, q), y = root_of(nodes, other);
                nodes[GY_MAX(x, y)].parent = GY_MIN(x, y);
            }
        }
    }
}

/// Adds up the nodes of each part in its first one; returns the part to stay on the grid: the
/// largest that leaves the block, or else the largest; -1 where none is live.
static int32_t choose_main(node *nodes, int count)
{
    int32_t best = -1;
    for (int q = 0; q < count; q++) {
        int32_t r = root_of(nodes, q);
        if (r != q) {
            nodes[r].volume += nodes[q].volume;
            nodes[r].leaves |= nodes[q].leaves;
            nodes[r].inner |= nodes[q].inner;
        }
    }
    for (int q = 0; q < count; q++) {
        const node *n = &nodes[q];
        if (n->parent == q && n->live &&
            (best < 0 || n->leaves > nodes[best].leaves ||
             (n->leaves == nodes[best].leaves && n->volume > nodes[best].volume))) {
            best = q;
        }
    }
    return best;
}

/// Takes one block apart. False: no memory.
static bool split(gy_builder *builder, gy_level_build *f, gy_level_build *c,
                  const gy_coarse_block *b)
{
    node_index index;
    int count = gather(builder, f, b, &index);
    node *nodes = builder->nodes.data;
    if (count < 0) {
        return false;
    }
    unite(builder, f, c, b, &index, count);
    bool seam = at_seam(c, b->at), busy = false;
    int32_t main = choose_main(nodes, count), found = 0;
    float share = 1.0f;
    for (int a = 0; a < 3; a++) {
        share *= f->n[a] > 1 ? 0.5f : 1.0f;
    }
    for (int q = 0; q < count; q++) {
        node *n = &nodes[q], *first = &nodes[root_of(nodes, q)];
        if (first == n && n->live && q != main && !seam) {
            gy_component *part = gy_pile_push(builder, &c->parts, sizeof *part);
            if (!part) {
                return false;
            }
            *part = (gy_component){
                .cell = b->cell, .volume = n->volume * share, .late = 7u & ~n->inner};
            n->number = ++found;
        }
        int32_t number = !n->live ? 0 : first->number;
        if (n->item >= 0) {
            ((uint8_t *)f->slice.data)[n->item] = (uint8_t)number;
            continue;
        }
        busy = true;
        ((int32_t *)f->own.data)[~n->item] = !n->live      ? (int32_t)GY_NOWHERE
                                             : number == 0 ? (int32_t)GY_MAIN
                                                           : c->extras + number - 1;
    }
    c->extras += found;
    if (busy || found > 0) {
        int32_t *cell = gy_pile_push(builder, &f->busy, sizeof *cell);
        if (!cell) {
            return false;
        }
        *cell = b->cell;
    }
    return true;
}

/// Of the blocks of row (j, k) of the finest level that begin in word w, at the bits of their first
/// cells: those whose cells all hang together or are joined to nothing, each of two cells along
/// each axis of more than one. Blocks at an odd end are left out.
static uint64_t plain_blocks(const gy_builder *builder, const gy_level_build *c, int w, int j,
                             int k)
{
    const gy_face_bits *f = builder->faces;
    int wide = f->n[1] > 1 ? 2 : 1, deep = f->n[2] > 1 ? 2 : 1;
    bool whole_row = f->n[0] > 1 && wide * (j + 1) <= f->n[1] && deep * (k + 1) <= f->n[2] &&
                     (j + 1 < c->n[1] || f->n[1] == wide * c->n[1]) &&
                     (k + 1 < c->n[2] || f->n[2] == deep * c->n[2]);
    if (!whole_row) {
        return 0;
    }
    static const uint64_t evens = 0x5555555555555555u;
    uint64_t open = ~(uint64_t)0, fluid = 0;
    for (int z = deep * k; z < deep * (k + 1); z++) {
        for (int y = wide * j; y < wide * (j + 1); y++) {
            open &= gy_face_bits_open(f, 0, y, z)[w] | evens;
            open &= y > wide * j ? gy_face_bits_open(f, 1, y, z)[w] : ~(uint64_t)0;
            open &= z > deep * k ? gy_face_bits_open(f, 2, y, z)[w] : ~(uint64_t)0;
            fluid |= gy_face_bits_fluid(f, y, z)[w];
        }
    }
    uint64_t plain = ((open & open >> 1) | ~(fluid | fluid >> 1)) & evens;
    // The last block may have three cells, or one.
    int last = f->n[0] % 2 ? 2 * (c->n[0] - 1) : f->n[0];
    return plain & gy_row_mask(last, w);
}

/// How many of the finest level's blocks from (i, j, k) on need no look. *plain is kept for the
/// rest of the word.
static int plain_stretch(const gy_builder *builder, const gy_level_build *c, int i, int j, int k,
                         uint64_t *plain)
{
    int bit = 2 * i % 64;
    if (bit == 0) {
        *plain = plain_blocks(builder, c, 2 * i / 64, j, k);
    }
    uint64_t rest = (~*plain & 0x5555555555555555u) >> bit;
    return rest ? gy_lowest_bit(rest) / 2 : GY_MIN((64 - bit) / 2, c->n[0] - i);
}

static bool split_all(gy_builder *builder, gy_level_build *f, gy_level_build *c)
{
    if (!gy_pile_push(builder, &f->slice, f->cells) ||
        !gy_pile_push(builder, &f->own, (size_t)f->extras * sizeof(int32_t)) ||
        !gy_pile_push(builder, &c->first, (c->cells + 1) * sizeof(int32_t))) {
        return false;
    }
    int32_t *first = c->first.data;
    bool finest = f == builder->build && builder->faces;
    for (int k = 0; k < c->n[2]; k++) {
        for (int j = 0; j < c->n[1]; j++) {
            uint64_t plain = 0;
            for (int i = 0; i < c->n[0]; i++) {
                int skip = finest ? plain_stretch(builder, c, i, j, k, &plain) : 0;
                for (int end = i + skip; i < end; i++) {
                    first[gy_cell_number(c, i, j, k)] = c->extras;
                }
                if (skip > 0) {
                    i--; // the next may begin a word
                    continue;
                }
                gy_coarse_block b = gy_coarse_block_at(f, c, i, j, k);
                first[b.cell] = c->extras;
                if (whole(f, &b)) {
                    continue;
                }
                if (!has_extras(f, &b) && (hangs_together(f, &b) || (builder->system->loose &&
                                                                     hangs_together_near(f, &b)))) {
                    continue;
                }
                if (!split(builder, f, c, &b)) {
                    return false;
                }
            }
        }
    }
    first[c->cells] = c->extras;
    // One past the last extra: where the last one's joints end.
    return gy_pile_push(builder, &c->parts, sizeof(gy_component)) != NULL;
}

/// Where a cell of the fine level is on the coarse one: a cell of the grid, or ~an extra.
static int32_t coarse_of(const gy_level_build *f, const gy_level_build *c, int32_t item)
{
    if (item >= 0) {
        int slice = ((const uint8_t *)f->slice.data)[item];
        int32_t block = block_of(f, c, item);
        return slice == 0 ? block : ~(gy_first_of(&c->first, block) + slice - 1);
    }
    int32_t own = ((const int32_t *)f->own.data)[~item];
    return own >= 0 ? ~own : block_of(f, c, ((const gy_component *)f->parts.data)[~item].cell);
}

/// A joint to beyond a side, of cells that go with the pair before them where x is held beyond
/// (see ops/system/coarsen.c): the coarse face stands for both faces of the last cell. A part of
/// last cells alone keeps its own.
static double held_joint(const gy_level_build *f, const gy_level_build *c,
                         const gy_coarsen_args *args, const gy_joints *joints, const gy_joint *j,
                         uint32_t late)
{
    if (!(args->held > 0.0f) || !(j->way & 1)) {
        return (double)j->open;
    }
    if (late >> args->axis & 1u) {
        float ratio = f->g.l->scale[args->axis] / c->g.l->scale[args->axis];
        return (double)(j->open * ratio / args->factor[3]);
    }
    float in = 0.0f;
    for (int s = 0; s < 2; s++) {
        for (int t = 0; t < joints->count[s]; t++) {
            in += joints->list[s][t].way == j->way - 1 ? joints->list[s][t].open : 0.0f;
        }
    }
    return (double)GY_MIN(args->inner * in, args->held * j->open);
}

static float factor_of(const gy_coarsen_args *args, const gy_level_build *c, const int at[3],
                       int way)
{
    int n = c->n[way / 2], p = at[way / 2] + (way & 1);
    return args->factor[p == n ? 3 : p == 0 ? 1 : p == n - 1 ? 2 : 0];
}

/// Adds to what a part is joined to. `head` starts its list of sums.
static bool add(gy_builder *builder, int32_t *head, int32_t to, int32_t way, double open)
{
    joint_sum *sums = builder->sums.data;
    int32_t q = *head, last = -1;
    for (; q >= 0; last = q, q = sums[q].next) {
        if (sums[q].to == to && sums[q].way == way) {
            sums[q].open += open;
            return true;
        }
    }
    int32_t number = (int32_t)(builder->sums.used / sizeof *sums);
    joint_sum *sum = gy_pile_push(builder, &builder->sums, sizeof *sum);
    if (!sum) {
        return false;
    }
    *sum = (joint_sum){to, way, -1, open};
    *(last < 0 ? head : &((joint_sum *)builder->sums.data)[last].next) = number;
    return true;
}

/// Adds up what leaves the block for one fine cell.
static bool add_item(gy_builder *builder, const gy_level_build *f, const gy_level_build *c,
                     const gy_coarse_block *b, const gy_coarsen_args args[3], int32_t item,
                     int32_t *heads)
{
    int32_t here = coarse_of(f, c, item);
    int32_t *head = here >= 0 ? &heads[0] : &heads[1 + ~here - gy_first_of(&c->first, b->cell)];
    uint32_t late = here >= 0 ? 0 : ((const gy_component *)c->parts.data)[~here].late;
    gy_joints joints;
    gy_joints_of(f, item, &joints);
    for (int s = 0; s < 2; s++) {
        for (int t = 0; t < joints.count[s]; t++) {
            const gy_joint *j = &joints.list[s][t];
            int32_t to = j->to;
            double open = (double)j->open;
            if (to == GY_BEYOND) {
                open = held_joint(f, c, &args[j->way / 2], &joints, j, late);
            } else {
                to = coarse_of(f, c, to);
                if ((to >= 0 ? to : ((const gy_component *)c->parts.data)[~to].cell) == b->cell) {
                    continue;
                }
            }
            if (open > 0.0 && !add(builder, head, to, j->way, open)) {
                return false;
            }
        }
    }
    return true;
}

/// Writes the coefficient of a face of the grid, at both ends where it joins those of an axis.
static void mend_face(const gy_level_build *c, const int at[3], int way, double open)
{
    int a = way / 2, face[3] = {at[0], at[1], at[2]};
    float q = (float)open + 0.5f;
    uint16_t value = (uint16_t)(q < 65535.0f ? q : 65535.0f);
    face[a] += way & 1;
    *gy_coefficient(&c->g, a, face[0], face[1], face[2]) = value;
    if ((c->g.l->periodic >> a & 1u) && (face[a] == 0 || face[a] == c->n[a])) {
        face[a] = c->n[a] - face[a];
        *gy_coefficient(&c->g, a, face[0], face[1], face[2]) = value;
    }
}

/// What an extra with a lower number says of its joint with this one: both must agree to the last
/// bit, or a region that nothing holds is no longer singular, and its factor rubbish.
static float agreed(const gy_level_build *c, int32_t extra, int32_t to, int way, float open)
{
    if (to >= 0 || ~to >= extra) {
        return open; // a cell of the grid, a later extra, or what lies beyond a side
    }
    const gy_component *other = (const gy_component *)c->parts.data + ~to;
    const gy_joint *joints = c->joints.data;
    for (int q = other[0].first; q < other[1].first; q++) {
        if (joints[q].to == ~extra && joints[q].way == (way ^ 1)) {
            return joints[q].open;
        }
    }
    return open;
}

/// Finds what the parts of one block are joined to.
static bool join(gy_builder *builder, const gy_level_build *f, gy_level_build *c,
                 const gy_coarsen_args args[3], int32_t cell)
{
    int at[3], first = gy_first_of(&c->first, cell);
    int parts = 1 + gy_first_of(&c->first, cell + 1) - first;
    gy_cell_at(c, cell, at);
    gy_coarse_block b = gy_coarse_block_at(f, c, at[0], at[1], at[2]);
    int32_t *heads = gy_pile_refill(builder, &builder->heads, (size_t)parts * sizeof *heads);
    builder->sums.used = 0;
    if (!heads) {
        return false;
    }
    memset(heads, 0xff, (size_t)parts * sizeof *heads);
    for (int k = b.low[2]; k < b.high[2]; k++) {
        for (int j = b.low[1]; j < b.high[1]; j++) {
            for (int i = b.low[0]; i < b.high[0]; i++) {
                int32_t item = gy_cell_number(f, i, j, k);
                if (!add_item(builder, f, c, &b, args, item, heads)) {
                    return false;
                }
                for (int e = gy_first_of(&f->first, item); e < gy_first_of(&f->first, item + 1);
                     e++) {
                    if (!add_item(builder, f, c, &b, args, ~e, heads)) {
                        return false;
                    }
                }
            }
        }
    }
    const joint_sum *sums = builder->sums.data;
    double main[6] = {0.0};
    for (int32_t q = heads[0]; q >= 0; q = sums[q].next) {
        // What joins the grid's cell to extras is in their lists.
        main[sums[q].way] += sums[q].to >= 0 || sums[q].to == GY_BEYOND ? sums[q].open : 0.0;
    }
    for (int way = 0; way < 2 * c->dim; way++) {
        float factor = factor_of(&args[way / 2], c, at, way);
        mend_face(c, at, way, main[way] * (double)factor);
    }
    for (int p = 1; p < parts; p++) {
        gy_component *part = (gy_component *)c->parts.data + first + p - 1;
        part->first = (int32_t)(c->joints.used / sizeof(gy_joint));
        for (int32_t q = heads[p]; q >= 0; q = sums[q].next) {
            gy_joint *j = gy_pile_push(builder, &c->joints, sizeof *j);
            if (!j) {
                return false;
            }
            float factor = factor_of(&args[sums[q].way / 2], c, at, sums[q].way);
            float open = (float)sums[q].open * factor;
            *j = (gy_joint){sums[q].to, sums[q].way,
                            agreed(c, first + p - 1, sums[q].to, sums[q].way, open)};
        }
    }
    return true;
}

/// The joints of extras to cells of the grid, seen from there.
static bool turn(gy_builder *builder, gy_level_build *c)
{
    const gy_component *parts = c->parts.data;
    const gy_joint *joints = c->joints.data;
    int32_t *first = gy_pile_push(builder, &c->touch_first, (c->cells + 1) * sizeof *first);
    int count = 0, all = (int)(c->joints.used / sizeof *joints);
    if (!first) {
        return false;
    }
    for (int q = 0; q < all; q++) {
        if (joints[q].to >= 0) {
            first[joints[q].to]++;
            count++;
        }
    }
    gy_joint *touch = gy_pile_push(builder, &c->touch, (size_t)count * sizeof *touch);
    if (!touch) {
        return false;
    }
    // first[] goes from the number of each cell's to where they end, and back to where they start.
    for (size_t q = 1; q <= c->cells; q++) {
        first[q] += first[q - 1];
    }
    for (int e = c->extras - 1; e >= 0; e--) {
        for (int q = parts[e + 1].first - 1; q >= parts[e].first; q--) {
            if (joints[q].to >= 0) {
                touch[--first[joints[q].to]] = (gy_joint){~e, joints[q].way ^ 1, joints[q].open};
            }
        }
    }
    return true;
}

bool gy_components_find(gy_builder *builder, int l)
{
    gy_level_build *f = &builder->build[l], *c = &builder->build[l + 1];
    if (!split_all(builder, f, c)) {
        return false;
    }
    gy_coarsen_args args[3] = {{0}};
    for (int a = 0; a < c->dim; a++) {
        args[a] = gy_system_coarsen_args(builder->system, l, a);
    }
    const int32_t *busy = f->busy.data;
    for (size_t q = 0; q < f->busy.used / sizeof *busy; q++) {
        if (!join(builder, f, c, args, busy[q])) {
            return false;
        }
    }
    ((gy_component *)c->parts.data)[c->extras].first = (int32_t)(c->joints.used / sizeof(gy_joint));
    return c->extras == 0 || turn(builder, c);
}
