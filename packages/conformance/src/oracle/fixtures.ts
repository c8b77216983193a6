import type {
  AuditSink,
  FunctionTool,
  memorySource,
  RepertoireOptions,
  ScriptRunner,
  SkillSource,
} from '@repertoire/core'
import { privateMounts } from '@repertoire/core/node'
import { writtenSkills } from './written-skills.ts'
import { fixtureSkills } from '../fixture-skills.ts'
import type { Desk, Run, Setup } from './scenario.ts'

/** A sink beside those of a scenario. */
export function sinksBeside(audit: Setup['audit'], own: AuditSink): NonNullable<Setup['audit']> {
  if (audit === undefined) return own
  return 'sink' in audit ? { ...audit, sink: [audit.sink, own].flat() } : [audit, own].flat()
}

type Found = ReturnType<ReturnType<typeof memorySource>['scan']>[number]

/** Returns written skills as a scan finds them. */
export function scanWritten(skills: Setup['skills'] = {}): readonly Found[] {
  return writtenSkills(skills).scan() as readonly Found[]
}

/**
 * The skills of a scenario. Written ones are read as they are when they are read, which may not be what was scanned.
 * @param written the skills that are there now
 */
export function sourcesOf(
  { sources, skills }: Setup,
  written: { readonly now: readonly Found[] },
): readonly SkillSource[] {
  if (sources !== undefined) return sources
  if (skills === undefined) return [fixtureSkills()]
  const { id, layer } = writtenSkills({})
  const folderNow = (path: string): Found['folder'] => {
    const now = written.now.find((each) => each.path === path)
    if (now !== undefined) return now.folder
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' })
  }
  const scan = (): readonly Found[] =>
    written.now.map(({ folder: { location }, ...each }) => ({
      ...each,
      folder: {
        location,
        readManifest: () => folderNow(each.path).readManifest(),
        list: () => folderNow(each.path).list(),
        read: (...given) => folderNow(each.path).read(...given),
      },
    }))
  return [{ id, layer, scan }]
}

/** The options of the repertoire, with hooks that are recorded, and private copies below a folder. */
export function repertoireOptions(
  { repertoire, hooks, mounts }: Setup,
  root: string,
  record: Desk['record'],
): Partial<RepertoireOptions> {
  return {
    ...repertoire,
    ...(hooks && { scripts: { ...repertoire?.scripts, runner: hookRunner(hooks, record), hooks: true } }),
    ...(mounts && { mounts: privateMounts({ root }) }),
  }
}

/** A runner of hooks that tells each, and lets some fail. */
function hookRunner(failing: readonly string[], record: Desk['record']): ScriptRunner {
  return {
    name: 'desk',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: () => true,
    async run({ script }) {
      record('hook', { script })
      const fails = failing.includes(script)
      return {
        end: 'exited',
        exitCode: fails ? 1 : 0,
        stdout: new TextEncoder().encode(fails ? 'The tree is dirty: $& <x>' : ''),
        stderr: new Uint8Array(),
        dropped: { stdout: 0, stderr: 0 },
        durationMs: 1,
      }
    },
  }
}

/** A copy of a tool that tells each run before it begins, with a copy of its input. */
export function recorded(tool: FunctionTool, tell: (run: Omit<Run['toolRuns'][number], 'at'>) => void): FunctionTool {
  return {
    ...tool,
    execute(input, options) {
      tell({ tool: tool.name, input: structuredClone(input), callId: options.callId })
      return tool.execute(input, options)
    },
  }
}
