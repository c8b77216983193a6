/**
 * One floor of the house. A file imports only from floors below its own, from its own place, and along `sideways`.
 *
 * A place is a path from the root of the repository: a file, or a folder with everything in it; without its ending, a
 * file and the folder of the same name. Where several places hold a file, the longest one counts.
 */
export interface Floor {
  readonly places: readonly string[]
  /** Places for what is planned: named here so that it is known where they go, and not there yet. */
  readonly planned?: readonly string[]
}

/** An import between two places of one floor, with the reason for which it is allowed. */
export interface SidewaysEdge {
  readonly from: string
  readonly to: string
  readonly reason: string
}

/** The floors, lowest first. */
export const floors: readonly Floor[] = [
  { places: core('errors.ts', 'ports', 'text') },
  {
    places: core('manifest', 'newest-entries.ts', 'once.ts', 'options', 'resources', 'time-limit.ts'),
  },
  { places: core('disclosure', 'gate', 'schema', 'search', 'store', 'window') },
  { places: core('audit', 'catalog') },
  { places: core('bundled', 'execution', 'opentelemetry', 'session/state', 'tools') },
  { places: core('session') },
  { places: core('authoring.ts', 'repertoire') },
  { places: core('adapter.ts', 'index.ts', 'options/index.ts', 'stores.ts') },
  { places: core('node/folder') },
  { places: core('node/audit', 'node/mounts', 'node/toolsets', 'node/watch') },
  { places: core('node/sources') },
  { places: core('node/configuration') },
  { places: core('node/bundled') },
  { places: core('node') },
  { places: packages('library', 'runners', 'storage', 'test-servers', 'tools') },
  { places: packages('ai-sdk', 'conformance', 'langchain', 'react-loop') },
  { places: packages('ai-sdk/src/conformance', 'langchain/src/conformance', 'react-loop/src/conformance') },
  { places: packages('cli') },
  { places: ['apps/bench', 'apps/demo'] },
]

/** The imports that are allowed between places of one floor. No two of them may form a circle. */
export const sideways: readonly SidewaysEdge[] = [
  { from: folder('text'), to: folder('ports'), reason: 'the default counter of tokens keeps to the type of the port' },
  {
    from: folder('manifest'),
    to: folder('resources'),
    reason: 'advice on links knows which files of a folder are read',
  },
  {
    from: folder('manifest'),
    to: folder('options'),
    reason: 'options of the parser are checked by their table',
  },
  {
    from: folder('resources'),
    to: folder('options'),
    reason: 'options of reading a file are checked by their table',
  },
  {
    from: 'packages/library',
    to: 'packages/tools',
    reason: 'what is fetched comes from addresses that are judged as those of `http_request`',
  },
]

/** Folders of one place that lie over one another, lowest first: none imports from one above it. */
export const rooms: readonly (readonly string[])[] = [
  ['consent', 'activation', 'calls'].map((name) => folder(`session/${name}`)),
]

function folder(name: string): string {
  return `packages/core/src/${name}`
}

function core(...names: readonly string[]): readonly string[] {
  return names.map(folder)
}

function packages(...names: readonly string[]): readonly string[] {
  return names.map((name) => `packages/${name}`)
}
