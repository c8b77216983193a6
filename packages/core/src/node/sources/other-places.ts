import { existsSync, opendirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { searchLater } from '../../catalog/scan-sources.ts'
import type { Diagnostic } from '@repertoire/skill-md/internal'
import type { SkillSource } from '../../ports/source.ts'
import { placeNotSearched } from './scan-report.ts'

/** Where other clients keep skills, in a project and in a home folder alike. */
const EVERYWHERE =
  '.adal .agent .aider-desk .augment .autohand .bob .codebuddy .codeartsdoer .codemaker .codestudio .codewhale .codex ' +
  '.commandcode .continue .copilot .cortex .crush .cursor .factory .firebender .forge .fx .gemini .github .goose .grok ' +
  '.hermes .iflow .inferencesh .jazz .junie .kilo .kilocode .kimchi .kiro .kode .lingma .mcpjam .minimax .moxby .mux ' +
  '.neovate .ona .opencode .openhands .pi .pochi .qoder .qoder-cn .qwen .reasonix .roo .rovodev .terramind .tinycloud ' +
  '.trae .trae-cn .vibe .windsurf .zcode .zencoder'

/** Places of other clients, relative to a project's folder. */
const IN_PROJECT: readonly string[] = [
  'skills',
  'agent/skills',
  ...skillFolders(EVERYWHERE),
  '.opencode/skill',
  '.posit/assistant/skills',
  '.tabnine/agent/skills',
]

/** Places of other clients, relative to the home folder. */
const IN_HOME: readonly string[] = [
  ...skillFolders(EVERYWHERE),
  ...skillFolders('.config/agents .config/crush .config/devin .config/goose .config/opencode .config/kimchi/harness'),
  ...skillFolders('.codeium/windsurf .deepagents/agent .gemini/antigravity .gemini/antigravity-cli .openclaw'),
  ...skillFolders('.pi/agent .posit/assistant .snowflake/cortex .tabnine/agent'),
]

function skillFolders(parents: string): readonly string[] {
  return parents.split(' ').map((parent) => `${parent}/skills`)
}

/** What the hints depend on. */
export interface OtherPlacesOptions {
  /** The home folder, if the standard folders in it are searched; otherwise false. */
  readonly home: string | false
  /** The project's folder, if it is trusted and the standard folders in it are searched; otherwise false. */
  readonly project: string | false
  /** The folders that are searched in both. */
  readonly folders: readonly string[]
  /** Every folder that some source searches, by its real path. */
  readonly searched: ReadonlySet<string>
}

/** Entries of a folder that are looked at, to find one that is a skill. */
const MAX_ENTRIES = 500

/**
 * Returns a source without skills. It reports the folders of other clients that hold skills and are not searched, each
 * with the line that adds it. They are looked for when somebody reads the diagnostics.
 */
export function otherPlacesSource(options: OtherPlacesOptions): SkillSource {
  const find = (): readonly Diagnostic[] => findOtherPlaces(options)
  return { id: 'other-places', layer: 'personal', scan: async (visitor) => searchLater(visitor, find) }
}

function findOtherPlaces({ home, project, folders, searched }: OtherPlacesOptions): readonly Diagnostic[] {
  const places = [
    ...(project === false ? [] : IN_PROJECT.map((name) => ({ name, path: join(project, name) }))),
    ...(home === false ? [] : IN_HOME.map((name) => ({ name, path: join(home, name) }))),
  ]
  const seen = new Set(searched)
  const found: Diagnostic[] = []
  for (const { name, path } of places) {
    if (!existsSync(path)) continue
    const real = realOrResolved(path)
    if (seen.has(real) || !holdsSkill(path)) continue
    seen.add(real)
    found.push(placeNotSearched(path, [...folders, name]))
  }
  return found
}

/** Whether a folder is a skill, or one of its first entries is. */
export function holdsSkill(path: string): boolean {
  try {
    if (existsSync(join(path, 'SKILL.md'))) return true
    const folder = opendirSync(path)
    try {
      for (let count = 0; count < MAX_ENTRIES; count++) {
        const entry = folder.readSync()
        if (entry === null) return false
        if (existsSync(join(path, entry.name, 'SKILL.md'))) return true
      }
    } finally {
      folder.closeSync()
    }
  } catch {
    // A file, or a folder that may not be read: nothing that could be added.
  }
  return false
}

/** Returns the real path of a folder; as it is written if it does not exist. */
export function realOrResolved(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}
