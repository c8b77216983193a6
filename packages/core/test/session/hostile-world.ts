import { type AdapterSessionOptions, openAdapterSession } from '../../src/adapter.ts'
import {
  type FolderEntry,
  type FolderListing,
  type Outcome,
  type RepertoireOptions,
  type Session,
  type SkillSource,
  type ToolCall,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { mapped } from '../mapped-source.ts'

export const HOST = ['Bash', 'Read']
export const manifest = (name: string, fields = '', body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n`
export const skills = {
  free: { 'SKILL.md': manifest('free'), 'scripts/go.sh': 'echo', 'scripts/run': 'echo', 'notes.md': 'a\nb' },
  narrow: { 'SKILL.md': manifest('narrow', 'allowed-tools: Read\n') },
}

/** A source whose listings are changed. */
export function listing(source: SkillSource, change: (listing: FolderListing) => FolderListing): SkillSource {
  return {
    ...source,
    scan: () =>
      mapped(source, (found) => ({
        ...found,
        folder: { ...found.folder, list: async () => change(await found.folder.list()) },
      })),
  }
}

const executable = (file: FolderEntry): FolderEntry => ({ ...file, executable: file.path === 'scripts/run' })
export const source = listing(memorySource({ layer: 'project', skills }), (listed) => ({
  ...listed,
  files: listed.files.map(executable),
}))

export async function open(
  session: AdapterSessionOptions = {},
  options: Partial<RepertoireOptions> = {},
): Promise<Session> {
  const repertoire = await openRepertoire({ sources: [source], ...options })
  return openAdapterSession(repertoire, { hostTools: HOST, consent: () => true, ...session })
}

export const activation = (name: string, id = 'c1', more: object = {}): ToolCall => ({
  id,
  tool: 'activate_skill',
  input: { name, ...more },
})
export const run = (at: Pick<Session, 'call'>, call: ToolCall): Promise<Outcome> => at.call(call, () => 'ran')
