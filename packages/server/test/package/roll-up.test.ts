import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rollUp } from '../../build/roll-up.js'

function rolledUp(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'latchkey-roll-up-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return rollUp(join(folder, 'index.d.ts'), folder)
}

test('one file has what the entry exports, then what that mentions, and nothing else', () => {
  const result = rolledUp({
    'index.d.ts': `import type { Options } from './inner/options.js';
export { helper as help } from './inner/helper.js';
export type { Options } from './inner/options.js';
/** Makes it. */
export declare function make(options: Options, at: import("./inner/place.js").Place<string>): URL;
type Unused = string;
`,
    'inner/options.d.ts': `import type { IncomingMessage as Message } from 'node:http';
import { LEVELS } from './levels.js';
/** What may be set. */
export type Options = {
    /** Not a \`Place\`. */
    Place?: (message: Message) => void;
    level: (typeof LEVELS)[number];
};
export type Unwanted = import("fastify").FastifyInstance;
`,
    'inner/levels.d.ts': `export declare const LEVELS: readonly ['high', 'low'];
`,
    'inner/place.d.ts': `type Options = { of: string };
export interface Place<T> { at: T; options: Options }
`,
    'inner/helper.d.ts': `/** Helps. */
export declare const helper: () => void;
`,
  })
  expect(result).toBe(`import type { IncomingMessage as Message } from 'node:http';

/** Helps. */
export declare const help: () => void;

/** What may be set. */
export type Options = {
    /** Not a \`Place\`. */
    Place?: (message: Message) => void;
    level: (typeof LEVELS)[number];
};

/** Makes it. */
export declare function make(options: Options, at: Place<string>): URL;

declare const LEVELS: readonly ['high', 'low'];

interface Place<T> { at: T; options: Options2 }

type Options2 = { of: string };

export {};
`)
})
