import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiDifference } from '../api/difference.ts'
import { apiSnapshots } from '../api/snapshot.ts'
import { makeWorkspace } from './workspace.ts'

const INDEX = `
import type { Inner } from './inner.ts';
import type { Other } from 'other';
/** Opens it. */
export declare function open(path: string, options?: Inner): Other;
export { LIMIT, type Options } from './options.ts';
export interface Handle {
    /** Closes it. */
    close(): void;
}
`
const FILES: Readonly<Record<string, string>> = {
  'dist/index.d.ts': INDEX,
  'dist/inner.d.ts': 'export interface Inner {\n    readonly depth: import("./depth.ts").Depth;\n}\n',
  'dist/depth.d.ts': 'export type Depth = 1 | 2;\nexport type Unused = 3;\n',
  'dist/options.d.ts':
    'export { LIMIT } from "./limit.ts";\nexport interface Options {\n    // Why.\n    readonly a: 1;\n}\n',
  'dist/limit.d.ts': 'export declare const LIMIT = 4;\n',
  'dist/second.d.ts':
    "import type { Options } from './options.ts';\nexport declare function second(o: Options): void;\n",
}

/** The snapshots of the files above, with some of them changed. */
function snapshots(changed: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const files: Readonly<Record<string, string>> = { ...FILES, ...changed }
  const entries = new Map([
    ['it', 'dist/index.d.ts'],
    ['it/second', 'dist/second.d.ts'],
  ])
  return apiSnapshots(entries, (file) => {
    const text = files[file]
    if (text === undefined) throw new Error(`There is no file ${file}.`)
    return text
  })
}

/** What a change of the main entry's file, or of another, is reported as. */
function difference(from: string, to: string, file = 'dist/index.d.ts'): readonly string[] {
  const text = FILES[file]!
  expect(text).toContain(from)
  return apiDifference(snapshots().get('it')!, snapshots({ [file]: text.replace(from, to) }).get('it')!)
}

describe('a snapshot of the public API', () => {
  test('[NFR-4] names a parameter that is taken apart by the last word of its type', () => {
    const written = (parameters: string): string => {
      const index = `export declare function f(${parameters}): void;\n`
      return /function f\((.*)\)/.exec(snapshots({ 'dist/index.d.ts': index }).get('it')!)![1]!
    }
    expect(written('{ path: file, limit, }: ReadOptions, id: string')).toBe('options: ReadOptions, id: string')
    expect(written('{ a, /* why */ b }?: ModelRun')).toBe('run?: ModelRun')
    expect(written("{ a }: Pick<Run, 'a'>, { b }: { readonly b: 1 }")).toBe(
      "options: Pick<Run, 'a'>, options: { readonly b: 1 }",
    )
  })

  test('[NFR-4] holds every export with its declaration, and what only these refer to', () => {
    expect(snapshots().get('it')).toBe(`// The public API of it (values: 2, types: 2). Written by "npm run api".

import { Other } from 'other'

// Values

export const LIMIT = 4;

export function open(path: string, options?: Inner): Other;

// Types

export interface Handle {
    close(): void;
}

export interface Options {
    readonly a: 1;
}

// Not exported, but part of the above

type Depth = 1 | 2;

interface Inner {
    readonly depth: import("./depth.ts").Depth;
}
`)
  })

  test('[NFR-4] names what another entry of the package exports, and does not repeat it', () => {
    expect(snapshots().get('it/second'))
      .toBe(`// The public API of it/second (values: 1, types: 0). Written by "npm run api".

import { Options } from 'it'

// Values

export function second(o: Options): void;
`)
  })

  test('[NFR-4] keeps overloads, classes, renamed exports, other packages and augmented modules', () => {
    const text = `
import { Base } from 'base';
export declare function over(a: string): string;
export declare function over(a: number): number;
export declare abstract class Derived extends Base<Part> {
    #private;
}
interface Part {
}
declare const a: Part;
export { a as b };
export { z } from 'zod';
declare module 'vitest' {
    interface TaskMeta {
    }
}
export {};
`
    expect(snapshots({ 'dist/index.d.ts': text, 'dist/second.d.ts': '' }).get('it'))
      .toBe(`// The public API of it (values: 4, types: 0). Written by "npm run api".

import { Base } from 'base'

// Values

export abstract class Derived extends Base<Part> {
    #private;
}

export { a as b };

export function over(a: string): string;
export function over(a: number): number;

export { z } from 'zod';

// Added to other modules

declare module 'vitest' {
    interface TaskMeta {
    }
}

// Not exported, but part of the above

interface Part {
}

const a: Part;
`)
  })

  test.each([
    ['another signature', ['path: string', 'path: URL']],
    ['an argument more', ['options?: Inner', 'options?: Inner, more?: number']],
  ] as const)('[NFR-4] tells %s', (_, [from, to]) => {
    const changed = `export function open(path: string, options?: Inner): Other;`
    expect(difference(from, to)).toEqual(['changed: open', `  - ${changed}`, `  + ${changed.replace(from, to)}`])
  })

  test('[NFR-4] tells a name that is gone, and a new one', () => {
    expect(difference('LIMIT, type Options', 'LIMIT')).toEqual([
      'removed: Options',
      '  - export interface Options {',
      '  -     readonly a: 1;',
      '  - }',
    ])
    expect(difference('export interface Handle', 'export type Id = string;\nexport interface Handle')).toEqual([
      'added: Id',
      '  + export type Id = string;',
    ])
  })

  test('[NFR-4] tells a change of what is not exported itself', () => {
    expect(difference('1 | 2', '1 | 2 | 3', 'dist/depth.d.ts')).toEqual([
      'changed: Depth',
      '  - type Depth = 1 | 2;',
      '  + type Depth = 1 | 2 | 3;',
    ])
    expect(difference('readonly a: 1', 'readonly a?: 1', 'dist/options.d.ts')).toEqual([
      'changed: Options',
      '  -     readonly a: 1;',
      '  +     readonly a?: 1;',
    ])
  })

  test('[NFR-4] is the same whatever the comments, the order and the files are', () => {
    expect(difference('Opens it.', 'Opens the file at a path.')).toEqual([])
    expect(difference('export type Unused = 3;\n', '', 'dist/depth.d.ts')).toEqual([])
    const handle = INDEX.slice(INDEX.indexOf('export interface Handle'))
    const text = `${handle}${INDEX.replace(handle, '').replace('./options.ts', './moved.ts')}`
    const moved = snapshots({ 'dist/index.d.ts': text, 'dist/moved.d.ts': FILES['dist/options.d.ts']!, 'dist/second.d.ts': '' }) // prettier-ignore
    expect(moved.get('it')).toBe(snapshots().get('it'))
  })

  test.each([
    ["export * from './inner.ts';", 'dist/index.d.ts exports without a name'],
    ['export default 1;', 'dist/index.d.ts exports without a name'],
    ["export { Missing } from './inner.ts';", 'dist/inner.d.ts does not declare "Missing".'],
    ['export interface {', 'dist/index.d.ts cannot be parsed'],
  ])('[NFR-4] refuses what it could not follow: %s', (text, message) => {
    expect(() => snapshots({ 'dist/index.d.ts': text })).toThrow(message)
  })
})

test('[NFR-4] npm run api writes what --check holds the built packages to', async () => {
  const { root, write, run } = await makeWorkspace()
  const types = (path: string): object => ({ types: path, default: path.replace('.d.ts', '.js') })
  const exports = { '.': types('./dist/index.d.ts'), './more': types('./dist/more.d.ts'), './package.json': './package.json' } // prettier-ignore
  await write('packages/one/package.json', JSON.stringify({ name: '@house/one', publishConfig: { exports } }))
  await write('packages/two/package.json', '{ "name": "two", "private": true }')
  await write('packages/one/dist/index.d.ts', 'export declare const a: 1;\n')
  await write('packages/one/dist/more.d.ts', 'export declare const b: 1;\n')
  await write('docs/api/gone/index.d.ts', 'export const gone: 1;\n')

  const missing = await run('node', 'scripts/api.ts', '--check')
  expect(missing.code).toBe(1)
  expect(missing.stdout).toContain('docs/api/one/index.d.ts')
  expect(missing.stdout).toContain('removed: gone')

  expect(await run('node', 'scripts/api.ts')).toMatchObject({ code: 0 })
  expect(await readFile(join(root, 'docs/api/one/more.d.ts'), 'utf8')).toContain('export const b: 1;')
  expect(await run('node', 'scripts/api.ts', '--check')).toEqual({
    code: 0,
    stdout: '2 entries, 0 of them changed.\n',
    stderr: '',
  })

  await write('packages/one/dist/index.d.ts', 'export declare const a: 2;\n')
  const changed = await run('node', 'scripts/api.ts', '--check')
  expect(changed.code).toBe(1)
  expect(changed.stdout).toContain('- export const a: 1;\n    + export const a: 2;')
  expect(changed.stdout).toContain('run "npm run api" and commit')
})
