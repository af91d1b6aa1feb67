// Bundles the widget for anywidget: one ES module and one style sheet, which travel to every front end.
import { build } from 'esbuild';

await build({
  entryPoints: { widget: 'labextension/src/widget/index.tsx' },
  outdir: 'skyline_jupyter/static',
  bundle: true,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
  minify: true,
  target: 'es2022',
});
