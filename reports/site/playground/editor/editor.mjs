// The editor for scenario files: CodeMirror with YAML, and the problems that the simulator finds, at their lines and columns.
// It is in a shadow root, where it needs no style elements, which the page's policy forbids. build.sh makes one file of it.

import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
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

const look = EditorView.theme({
  "&": { height: "100%", fontSize: ".84rem", background: "var(--ground)", color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--link)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--row)", color: "var(--soft)", borderRight: "1px solid var(--rule)" },
  ".cm-tooltip": { background: "var(--row)", color: "var(--ink)", border: "1px solid var(--soft)", maxWidth: "min(40rem, 90vw)" },
});

// edit makes an editor in an element. Each change of the text by its reader is told to changed.
export function edit(parent, label, changed) {
  const root = parent.attachShadow({ mode: "open" });
  let ours = false; // the text is being set by the page
  const view = new EditorView({ root, parent: root, extensions: [
    lineNumbers(), history(), lintGutter(), yaml(), syntaxHighlighting(colours), look, EditorState.tabSize.of(2),
    EditorView.lineWrapping, keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
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
