import js from '@eslint/js';
import jupyter from '@jupyter/eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores([
    '.venv/',
    'build/',
    'dist/',
    'labextension/lib/',
    'notebooks/',
    'skyline_jupyter/',
    // Generated; its generator is checked by comparing a fresh copy.
    'labextension/src/report/wire.generated.ts',
  ]),
  jupyter.configs.recommended,
  {
    files: ['labextension/src/**/*.{ts,tsx}', 'tests/typescript/**/*.{ts,tsx}', 'vitest.config.ts'],
    extends: [
      js.configs.recommended,
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
    ],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // `event => send(event)` is the plain way to write a listener.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Numbers in sentences and in SVG attributes are what these views are made of.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
    },
  },
  {
    // The views run without JupyterLab too (VS Code, Colab, an exported page), where no translator exists.
    files: ['labextension/src/{report,views,widget}/**/*.{ts,tsx}'],
    rules: { 'jupyter/no-untranslated-string': 'off' },
  },
  {
    files: ['labextension/src/{report,views,widget}/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@jupyterlab/*', '@lumino/*', '@jupyter/*', '**/lab/*'],
              message: 'Views know no host.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['labextension/src/report/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'document', 'window'],
    },
  },
  {
    // A test's body is one story, and `describe` holds many. Nobody translates a test.
    files: ['tests/typescript/**/*.{ts,tsx}'],
    rules: { 'max-lines-per-function': 'off', 'jupyter/no-untranslated-string': 'off' },
  },
  {
    files: ['*.mjs', 'labextension/*.mjs'],
    extends: [js.configs.recommended],
    languageOptions: { globals: { process: 'readonly' } },
  },
);
