// Which source may import which: `npm run layers`. Types and `import()` count too.
import type { IConfiguration, IRegularForbiddenRuleType as Rule } from 'dependency-cruiser'

/**
 * The layers, lowest first. A file imports from its own place and from lower layers, never from a neighbour.
 * A place is a file, or a folder with all files that are not part of another place.
 */
const layers = [
  skillMd('errors.ts', 'ports'),
  skillMd('text'),
  skillMd('plain-value.ts'),
  skillMd('options', 'resources.ts'),
  packages('skill-md'),
  packages('gate'),
  core('ports'),
  core('text'),
  core('recent-entries.ts', 'time-limit.ts'),
  core('resources'),
  core('disclosure', 'schema', 'search', 'store', 'window'),
  core('audit', 'catalog'),
  core('bundled', 'execution', 'opentelemetry', 'session/state', 'tools'),
  core('session'),
  core('authoring.ts', 'repertoire'),
  core('adapter.ts', 'index.ts', 'internal.ts', 'options/index.ts', 'stores.ts'),
  core('node/folder'),
  core('node/audit', 'node/mounts', 'node/toolsets', 'node/watch'),
  core('node/sources'),
  core('node/configuration'),
  core('node/bundled'),
  core('node'),
  packages('runners', 'storage', 'test-servers', 'tools'),
  packages('library'),
  packages('ai-sdk', 'claude-agent', 'conformance', 'langchain', 'mastra', 'openai-agents', 'react-loop'),
  packages('evals'),
  packages('ai-sdk/src/conformance', 'langchain/src/conformance', 'react-loop/src/conformance'),
  packages('claude-agent/src/conformance.ts', 'mastra/src/conformance.ts', 'openai-agents/src/conformance.ts'),
  packages('cli'),
  ['apps/inspector'],
  ['apps/bench', 'apps/demo'],
]

const places = layers.flat()

/** Matches the files of some places, without the files of places below them. */
function ofPlaces(wanted: readonly string[]): { readonly path: string[]; readonly pathNot: string[] } {
  const further = places.filter((place) => !wanted.includes(place) && wanted.some((each) => isInside(place, each)))
  return { path: pathsOf(wanted), pathNot: pathsOf(further) }
}

const LAYERS = 'A file imports from its own place and from lower layers.'
const NO_LAYER = 'Add the folder to the layers in .dependency-cruiser.ts.'
const SESSION = 'packages/core/src/session'

const forbidden: Rule[] = [
  ...layers.flatMap((layer, index) =>
    layer.map((place) => rule(LAYERS, ofPlaces([place]), ofPlaces(notBelow(index, place)))),
  ),
  rule(
    'consent is below activation and calls',
    { path: `^${SESSION}/consent/` },
    { path: `^${SESSION}/(activation|calls)/` },
  ),
  rule('activation is below calls', { path: `^${SESSION}/activation/` }, { path: `^${SESSION}/calls/` }),
  rule(NO_LAYER, { pathNot: pathsOf(places) }, {}),
  rule(NO_LAYER, {}, { pathNot: pathsOf(places) }),
  rule(
    'Import what the other package exports, not its files.',
    { path: '^(packages|apps)/([^/]+)/' },
    { pathNot: '^$1/$2/', dependencyTypes: ['local'] },
  ),
  rule('Take the import cycle apart.', {}, { circular: true }),
]

export default {
  forbidden,
  options: {
    includeOnly: '^(packages|apps)/[^/]+/src/',
    exclude: String.raw`\.test\.ts$`,
    tsPreCompilationDeps: true,
    parser: 'tsc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@repertoire/source', 'import', 'node', 'default'],
    },
  },
} satisfies IConfiguration

function rule(name: string, from: Rule['from'], to: Rule['to']): Rule {
  return { name, severity: 'error', from, to }
}

function notBelow(layer: number, place: string): readonly string[] {
  return layers
    .slice(layer)
    .flat()
    .filter((other) => other !== place)
}

function core(...names: readonly string[]): readonly string[] {
  return names.map((name) => `packages/core/src/${name}`)
}

function skillMd(...names: readonly string[]): readonly string[] {
  return names.map((name) => `packages/skill-md/src/${name}`)
}

function packages(...names: readonly string[]): readonly string[] {
  return names.map((name) => `packages/${name}`)
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

function pathsOf(paths: readonly string[]): string[] {
  return paths.map((path) => `^${path.replaceAll('.', String.raw`\.`)}(\\.ts)?(/|$)`)
}
