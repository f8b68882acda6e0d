// validate/plot.c: a plot as an <svg> element: axes with round numbers, a legend, curves.
#include "validate/inner.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 460, HEIGHT = 300, LEFT = 74, RIGHT = 14, TOP = 30, BOTTOM = 46, LINE = 16 };

/// One axis: from values to pixels.
typedef struct axis {
    bool logarithmic;
    double low, high; // of the value, or of its decimal logarithm
    double from, to;  // pixels
} axis;

void validate_escape(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

/// The value on the axis' own scale; NaN where it cannot be shown.
static double scaled(const axis *a, double value)
{
    if (a->logarithmic) {
        return value > 0.0 ? log10(value) : NAN;
    }
    return isfinite(value) ? value : NAN;
}

static double pixel(const axis *a, double value)
{
    return a->from + (scaled(a, value) - a->low) / (a->high - a->low) * (a->to - a->from);
}

static axis make_axis(const validate_plot_data *plot, bool vertical)
{
    axis a = {
        .logarithmic = vertical ? plot->log_y : plot->log_x, .low = INFINITY, .high = -INFINITY};
    for (int c = 0; c < plot->count; c++) {
        const validate_curve_data *curve = &plot->curves[c];
        for (int i = 0; i < curve->count; i++) {
            double v = scaled(&a, vertical ? curve->y[i] : curve->x[i]);
            // Comparisons with NaN are false.
            a.low = v < a.low ? v : a.low;
            a.high = v > a.high ? v : a.high;
        }
    }
    if (!(a.low <= a.high)) {
        a.low = 0.0;
        a.high = 1.0;
    }
    double room = 0.05 * (a.high - a.low);
    if (!(room > 1e-12 * (fabs(a.low) + fabs(a.high)))) {
        room = 0.5 * fabs(a.low) + (a.low == 0.0 ? 1.0 : 0.0);
    }
    a.low -= vertical || a.logarithmic ? room : 0.0;
    a.high += vertical || a.logarithmic ? room : 0.0;
    a.high = a.high > a.low ? a.high : a.low + 1.0;
    a.from = vertical ? HEIGHT - BOTTOM : LEFT;
    a.to = vertical ? TOP : WIDTH - RIGHT;
    return a;
}

/// A step of 1, 2 or 5 times a power of ten that gives about five marks.
static double round_step(double span)
{
    double rough = span / 5.0, power = pow(10.0, floor(log10(rough))), share = rough / power;
    return power * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
}

static void mark(FILE *out, const axis *a, bool vertical, double at, const char *label)
{
    double p = a->from + (at - a->low) / (a->high - a->low) * (a->to - a->from);
    if (vertical) {
        fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, p, WIDTH - RIGHT);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6, p + 4,
                label);
    } else {
        fprintf(out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", p, TOP, HEIGHT - BOTTOM);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", p,
                HEIGHT - BOTTOM + 16, label);
    }
}

static void draw_axis(FILE *out, const axis *a, bool vertical)
{
    double span = a->high - a->low;
    char label[32];
    if (a->logarithmic) {
        // Of a short axis every digit, of a longer one 1, 2 and 5 of each decade, of a long one the
        // decades, at most about eight.
        static const double shares[] = {1.0, 2.0, 5.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0};
        int marks = span < 0.7 ? 9 : span < 2.2 ? 3 : 1;
        int every = span > 8.0 ? (int)(span / 8.0) + 1 : 1;
        for (int decade = (int)floor(a->low); decade <= (int)ceil(a->high); decade++) {
            for (int s = 0; s < marks; s++) {
                double at = decade + log10(shares[s]);
                if (at >= a->low && at <= a->high && decade % every == 0) {
                    snprintf(label, sizeof label, "%.4g", shares[s] * pow(10.0, decade));
                    mark(out, a, vertical, at, label);
                }
            }
        }
        return;
    }
    double step = round_step(span);
    for (double at = ceil(a->low / step - 1e-9) * step; at <= a->high + 1e-9 * span; at += step) {
        snprintf(label, sizeof label, "%.6g", fabs(at) < 1e-9 * step ? 0.0 : at);
        mark(out, a, vertical, at, label);
    }
}

static void draw_curve(FILE *out, const validate_curve_data *c, int number, const axis *x,
                       const axis *y)
{
    bool down = false;
    if (c->style == VALIDATE_POINTS) {
        for (int i = 0; i < c->count; i++) {
            double px = pixel(x, c->x[i]), py = pixel(y, c->y[i]);
            if (isfinite(px) && isfinite(py)) {
                fprintf(out, "<circle class=\"p%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"/>", number,
                        px, py);
            }
        }
        fputc('\n', out);
        return;
    }
    fprintf(out, "<path class=\"c%d%s\" d=\"", number, c->style == VALIDATE_DASHES ? " dash" : "");
    for (int i = 0; i < c->count; i++) {
        double px = pixel(x, c->x[i]), py = pixel(y, c->y[i]);
        bool shown = isfinite(px) && isfinite(py);
        if (shown) {
            fprintf(out, "%s%.1f %.1f", down ? "L" : "M", px, py);
        }
        down = shown;
    }
    fputs("\"/>\n", out);
}

/// Where each entry of the legend begins: x and the line. Returns the lines, of as many entries as
/// there is room for.
static int lay_legend(const validate_plot_data *plot, double at[], int line[])
{
    int lines = 0;
    double x = LEFT;
    for (int c = 0; c < plot->count; c++) {
        double wide = 36.0 + 6.3 * (double)strlen(plot->curves[c].name);
        if (c > 0 && x + wide > WIDTH) {
            lines++;
            x = LEFT;
        }
        at[c] = x;
        line[c] = lines;
        x += wide;
    }
    return lines + 1;
}

/// The last line stands right above the frame, the others above it.
static void draw_legend(FILE *out, const validate_plot_data *plot, const double at[],
                        const int line[], int lines)
{
    for (int c = 0; c < plot->count; c++) {
        const validate_curve_data *curve = &plot->curves[c];
        int y = 19 - LINE * (lines - 1 - line[c]);
        if (curve->style == VALIDATE_POINTS) {
            fprintf(out, "<circle class=\"p%d\" cx=\"%.1f\" cy=\"%d\" r=\"3.2\"/>", c, at[c] + 9,
                    y);
        } else {
            fprintf(out, "<path class=\"c%d%s\" d=\"M%.1f %dh18\"/>", c,
                    curve->style == VALIDATE_DASHES ? " dash" : "", at[c], y);
        }
        fprintf(out, "<text x=\"%.1f\" y=\"%d\">", at[c] + 23, y + 4);
        validate_escape(out, curve->name);
        fputs("</text>\n", out);
    }
}

void validate_plot_draw(FILE *out, const validate_plot_data *plot)
{
    axis x = make_axis(plot, false), y = make_axis(plot, true);
    double at[VALIDATE_CURVES];
    int line[VALIDATE_CURVES], lines = lay_legend(plot, at, line), above = LINE * (lines - 1);
    fprintf(out, "<figure><figcaption>");
    validate_escape(out, plot->title);
    fprintf(out, "</figcaption>\n<svg viewBox=\"0 %d %d %d\" role=\"img\" aria-label=\"", -above,
            WIDTH, HEIGHT + above);
    validate_escape(out, plot->title);
    fprintf(out, "\">\n");
    draw_axis(out, &x, false);
    draw_axis(out, &y, true);
    fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT,
            TOP, WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP);
    for (int c = 0; c < plot->count; c++) {
        draw_curve(out, &plot->curves[c], c, &x, &y);
    }
    draw_legend(out, plot, at, line, lines);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 8);
    validate_escape(out, plot->x_label);
    fprintf(out,
            "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    validate_escape(out, plot->y_label);
    fprintf(out, "</text>\n</svg></figure>\n");
}
