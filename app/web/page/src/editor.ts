// editor.ts: a scene as text: CodeMirror, with what may stand there by the schema, and mistakes shown
// where the module finds them.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { complete, place, type Schema } from './complete.ts'
import { h } from './dom.ts'

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: '#9fc6d8' },
  { tag: tags.string, color: '#e9c9a4' },
  { tag: tags.number, color: '#f2b486' },
  { tag: [tags.bool, tags.null], color: '#c8a6e0' },
  { tag: tags.punctuation, color: '#7f8792' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.82rem', backgroundColor: 'transparent' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'transparent', color: '#59616b', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: '#ffffff0a' },
  '.cm-cursor': { borderLeftColor: '#f2b486' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: '#3a5566 !important' },
  '.cm-tooltip': { backgroundColor: '#12161d', border: '1px solid #2a313b', borderRadius: '8px', maxWidth: '26rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: '#28404e', color: '#fff' },
  '.tip': { padding: '0.4rem 0.7rem', fontSize: '0.8rem', maxWidth: '26rem' },
  '.cm-completionDetail': { color: '#8b939d', fontStyle: 'normal' },
}, { dark: true })

export interface Editor {
  element: HTMLElement
  text(): string
  set(text: string): void
  /** Shows a mistake where its message says; gives whether it says a place. */
  mistake(message: string | null): boolean
  focus(): void
}

export function editor(text: string, schema: Schema | null, run: () => void): Editor {
  const choices = (context: CompletionContext): CompletionResult | null => {
    if (!schema) return null
    const before = context.matchBefore(/["\w]+/)
    if (!context.explicit && !before) return null
    const found = complete(schema, context.state.doc.toString(), context.pos)
    if (!found?.choices.length) return null
    return {
      from: found.from,
      to: Math.max(found.to, context.pos),
      filter: false,
      options: found.choices
        .filter((c) => c.insert.toLowerCase().includes(context.state.sliceDoc(found.from, context.pos).replaceAll('"', '').toLowerCase()))
        .map((c) => ({ label: c.label, detail: c.detail, info: c.info, apply: c.insert, type: c.insert.startsWith('"') ? 'property' : 'constant' })),
    }
  }
  const tips = hoverTooltip((view, pos) => {
    const found = schema ? complete(schema, view.state.doc.toString(), pos) : null
    const word = found ? view.state.sliceDoc(found.from, found.to) : ''
    const choice = found?.choices.find((c) => c.insert.startsWith(word) && word.length > 1) ?? null
    if (!found || !choice?.info) return null
    return { pos: found.from, end: found.to, create: () => ({ dom: h('div', { class: 'tip' }, `${choice.info}${choice.detail ? ` [${choice.detail}]` : ''}`) }) }
  })
  // In a shadow root CodeMirror's styles are sheets of that root; in the page they would be inline
  // styles, which its Content Security Policy forbids.
  const host = h('div', { class: 'editor-host' })
  const root = host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), lintGutter(),
        json(), syntaxHighlighting(colours), look, tips, EditorView.lineWrapping,
        autocompletion({ override: [choices], icons: false }),
        EditorView.contentAttributes.of({ 'aria-label': 'The scene as text; Escape, then Tab leaves it' }),
        keymap.of([
          { key: 'Mod-Enter', run: () => { run(); return true } },
          ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab,
        ]),
      ],
    }),
  })
  return {
    element: host,
    text: () => view.state.doc.toString(),
    set: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    focus: () => view.focus(),
    mistake: (message) => {
      const found = message ? place(message) : null
      const list: Diagnostic[] = []
      if (found) {
        const line = view.state.doc.line(Math.min(Math.max(1, found.line), view.state.doc.lines))
        const from = Math.min(line.to, line.from + Math.max(0, found.column - 1))
        const to = Math.max(from, Math.min(line.to, from + (/^"[^"]*"?|^[^\s,\]}]+/.exec(view.state.sliceDoc(from, line.to))?.[0].length ?? 1)))
        list.push({ from, to, severity: 'error', message: found.what })
        view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
      }
      view.dispatch(setDiagnostics(view.state, list))
      return found !== null
    },
  }
}
