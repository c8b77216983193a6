import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** The content of a file, or the place that a link leads to. */
type HostFile = string | Uint8Array | { readonly link: string }

/** Skills by the names of their folders: the text of the `SKILL.md`, or all files by their paths. */
export type HostSkills = Readonly<Record<string, string | Readonly<Record<string, HostFile>>>>

/** A working folder with skills, for one check. */
export interface Workspace {
  /** A file that nothing writes but code of a skill, if the host runs it. */
  readonly trace: string
  /** The working folder of the host. */
  readonly project: string
  /** Holds the skills' folders. */
  readonly folder: string
  readonly home: string
  /** Adds skills, or replaces files of theirs. */
  write(skills: HostSkills): Promise<void>
  /** Writes a file beside the host's working folder, and returns its absolute path. */
  writeOutside(path: string, content: string): Promise<string>
  /** Returns the path that leads from a skill's folder to an absolute one. */
  pathFrom(skill: string, to: string): string
  discard(): Promise<void>
}

/** Makes a working folder with skills in a temporary place. */
export async function makeWorkspace(place: string, skills: HostSkills): Promise<Workspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'repertoire-host-')))
  const project = join(root, 'project')
  const folder = join(project, place)
  const home = join(root, 'home')
  for (const each of [folder, home]) await mkdir(each, { recursive: true })
  const workspace: Workspace = {
    trace: join(root, 'trace'),
    project,
    folder,
    home,
    async write(added) {
      for (const [name, files] of Object.entries(added)) {
        await mkdir(join(folder, name), { recursive: true })
        const all: Readonly<Record<string, HostFile>> = typeof files === 'string' ? { 'SKILL.md': files } : files
        for (const [path, content] of Object.entries(all)) await writeHostFile(join(folder, name, path), content)
      }
    },
    async writeOutside(path, content) {
      await writeHostFile(join(root, path), content)
      return join(root, path)
    },
    pathFrom: (skill, to) => relative(join(folder, skill), to),
    discard: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
  await workspace.write(skills)
  return workspace
}

async function writeHostFile(path: string, content: HostFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content)
  else await symlink(content.link, path)
}
