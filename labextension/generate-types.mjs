// Writes the TypeScript twin of the report's structs; CI fails when the committed file is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';

const SCHEMA = 'labextension/schema/report.schema.json';
const TYPES = 'labextension/src/report/wire.generated.ts';
const BANNER = '// Generated from the report schema by `npm run types:generate`. Do not edit.';

const { $defs } = JSON.parse(await readFile(SCHEMA, 'utf8'));
// The compiler does not follow a reference at the root, so each message is put in its place. They share no parts.
const messages = ['View', 'Gauges'].map((name, index) =>
  compile({ ...$defs[name], $defs: withoutKey($defs, name) }, name, {
    additionalProperties: false,
    bannerComment: index === 0 ? BANNER : '',
    format: false,
  }),
);
const text = (await Promise.all(messages)).join('\n');
await writeFile(TYPES, await format(text, { ...(await resolveConfig(TYPES)), filepath: TYPES }));

function withoutKey(object, key) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
