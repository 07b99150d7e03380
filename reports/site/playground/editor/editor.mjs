// The editor for scenario files: CodeMirror with YAML, and the problems that the simulator finds at their lines and columns.
// It stands in a shadow root, where CodeMirror has its styles as constructed sheets: a page whose policy forbids style
// elements can have it. build.sh makes one file of this and of what it imports.

import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { yaml } from "@codemirror/lang-yaml";
import { tags } from "@lezer/highlight";

// The colours are those of the page, which changes them with the theme.
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--link)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.keyword, tags.bool, tags.number, tags.atom], color: "var(--mark)" },
]);

const mono = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace';
const look = EditorView.theme({
  "&": { height: "100%", fontSize: ".84rem", background: "var(--ground)", color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--link)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: mono, lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "color-mix(in srgb, var(--link) 30%, var(--ground))" },
  ".cm-gutters": { background: "var(--row)", color: "var(--soft)", borderRight: "1px solid var(--rule)" },
  ".cm-activeLineGutter": { background: "var(--row)", color: "var(--ink)" },
  ".cm-tooltip": { background: "var(--row)", color: "var(--ink)", border: "1px solid var(--soft)", maxWidth: "min(40rem, 90vw)" },
});

// edit makes an editor in an element. Each change of the text by its reader is told to changed.
export function edit(parent, label, changed) {
  const root = parent.attachShadow({ mode: "open" });
  let ours = false; // the text is being set by the page
  const view = new EditorView({ root, parent: root, extensions: [
    lineNumbers(), highlightActiveLineGutter(), drawSelection(), history(), lintGutter(), yaml(), syntaxHighlighting(colours),
    look, EditorState.tabSize.of(2), EditorView.lineWrapping, keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
    EditorView.updateListener.of((u) => { if (u.docChanged && !ours) { changed(u.state.doc.toString()); } }),
  ] });
  return {
    text: () => view.state.doc.toString(),
    set(text) {
      if (text === view.state.doc.toString()) { return; }
      ours = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      ours = false;
    },
    // problems shows what is wrong at {line, column, message}, which count from 1. The rest of the word is marked.
    problems(all) {
      const doc = view.state.doc;
      view.dispatch(setDiagnostics(view.state, all.map((p) => {
        const line = doc.line(Math.max(1, Math.min(p.line || 1, doc.lines)));
        const from = Math.min(line.from + Math.max(0, (p.column || 1) - 1), line.to);
        const word = /^[^\s:,\]}]+/.exec(line.text.slice(from - line.from));
        return { from, to: word ? from + word[0].length : line.to, severity: "error", message: p.message };
      })));
    },
  };
}
