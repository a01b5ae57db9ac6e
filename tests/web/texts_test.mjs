// SPDX-License-Identifier: MIT
// Whatever code the core can give has a text on the page: codes as they stand in the core's sources and catalog.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { native } from '../golden/run.mjs';
import { text } from '../../web/messages/text.js';

const core = fileURLToPath(new URL('../../core/', import.meta.url));
const sources = ['api', 'budget', 'fit']
  .flatMap((room) => readdirSync(`${core}${room}`, { recursive: true }).map((name) => `${core}${room}/${name}`))
  .filter((name) => name.endsWith('.cpp'))
  .map((name) => readFileSync(name, 'utf8'));

const found = (pattern) => [...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, code]) => code)))];

/// Fails with the codes that have no text, and where the sources are not read any more.
function spoken(codes, prefix, least) {
  assert.ok(codes.length >= least, `${codes.length} codes found for ${prefix}`);
  assert.deepEqual(codes.filter((code) => text(`${prefix}.${code}`) === undefined), []);
}

it('every error of a request has a text', () => {
  // The page asks the full engine instead of saying this one.
  spoken(found(/\.error\(\s*"([a-z0-9-]+)"/g).filter((code) => code !== 'needs-full-engine'), 'error', 6);
});

it('every warning has a text', () => spoken(found(/\.warn\(\s*"([a-z0-9-]+)"/g), 'warning', 12));

it('every reason of a difference between the bases has a text', () => {
  const difference = readFileSync(`${core}api/difference.cpp`, 'utf8').split('std::string_view reason(')[1].split('\n}')[0];
  const codes = [...difference.matchAll(/[?:]\s*"([a-z0-9-]+)"|return "([a-z0-9-]+)"/g)].map(([, one, other]) => one ?? other);
  spoken(codes, 'difference', 8);
});

it('every reason why a dry run is not exact has a text', () => {
  const playable = readFileSync(`${core}budget/step/playable.cpp`, 'utf8');
  spoken([...playable.matchAll(/return "([a-z-]+)"/g)].map(([, code]) => code), 'inexact', 4);
});

it('every note has a text', () => {
  const notes = ['notes', 'findings'].map((name) => readFileSync(`${core}api/${name}.cpp`, 'utf8')).join('\n');
  const listed = [...notes.matchAll(/push_back\(\s*\{([^}]*)/g)].flatMap(([, start]) => [...start.split(',')[0].matchAll(/"([a-z0-9-]+)"/g)]);
  const codes = listed.map(([, code]) => code);
  spoken([...codes, 'traced'], 'note', 9);
});

it('every software, phase, level and setting that the page can show has a text', () => {
  const catalog = JSON.parse(native(['--catalog'], '').output);
  spoken(catalog.stacks.map(({ id }) => id), 'stack', 4);
  spoken(catalog.stacks.map(({ id }) => `${id}.help`), 'stack', 4);
  spoken(catalog.parameters.map(({ key }) => key), 'label', 20);
  const rooms = { adapter_dtype: 'dtype', weights_dtype: 'dtype', gradients_dtype: 'dtype', expert_adapters: 'experts' };
  for (const { key, kind, choices } of catalog.parameters)
    if (kind === 'choice' && key !== 'basis') spoken(choices, rooms[key] ?? key, 1);
  const { budget } = JSON.parse(native([], JSON.stringify({ basis: 'detailed', stack: 'trl-nll' })).output);
  spoken(budget.phases.map(({ id }) => id), 'phase', 4);
  spoken(budget.levels.map(({ id }) => id), 'level', 3);
  spoken(budget.rows.map(({ id }) => id), 'row', 4);
  spoken(budget.rows.map(({ source }) => source), 'source', 2);
});
