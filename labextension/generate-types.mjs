// Writes the TypeScript twin of the report's structs; CI fails when the committed file is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';

const SCHEMA = 'labextension/schema/report.schema.json';
const TYPES = 'labextension/src/report/wire.generated.ts';

const { $defs } = JSON.parse(await readFile(SCHEMA, 'utf8'));
const { View, ...definitions } = $defs;
// The compiler does not follow a reference at the root, so the root is put in its place.
const text = await compile({ ...View, $defs: definitions }, 'View', {
  additionalProperties: false,
  bannerComment: '// Generated from the report schema by `npm run types:generate`. Do not edit.',
  format: false,
});
await writeFile(TYPES, await format(text, { ...(await resolveConfig(TYPES)), filepath: TYPES }));
