import { constants } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** The folder of one run of a scenario: its skills and its working folder. */
export interface Workshop {
  /** Absolute, without links. */
  readonly skills: string
  /** Absolute, without links. The host's tools resolve relative paths against it. */
  readonly work: string
  /** The scripts of the skills: their absolute paths. */
  readonly scripts: ReadonlySet<string>
  /** How often a host's tool was asked for a file of a skill, and the paths that did not exist, as they were written. */
  readonly paths: { tried: number; readonly missing: string[] }
  /**
   * Returns the real path of a file or folder, if it exists inside the workshop. Counts paths that mean a skill's file:
   * those below the skills, and missing ones with the file name of a skill's file.
   */
  find(path: string): Promise<string | undefined>
  /** Returns the content of a file of the working folder; undefined if the file is missing. */
  read(path: string): Promise<string | undefined>
  /**
   * Writes a file of the working folder.
   * @throws {Error} if the path leaves it
   */
  write(path: string, content: string): Promise<void>
  remove(): Promise<void>
}

// Does not write through a link whose target does not exist yet. Windows has no such flag.
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0)

/** Creates a workshop in the system's folder for temporary files. */
export async function openWorkshop(
  skillFiles: Readonly<Record<string, string>>,
  workFiles: Readonly<Record<string, string>> = {},
): Promise<Workshop> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'repertoire-scenario-')))
  const skills = join(root, 'skills')
  const work = join(root, 'work')
  await mkdir(work)
  await writeAll(skills, skillFiles)
  await writeAll(work, workFiles)
  const names = new Set(Object.keys(skillFiles).map((path) => basename(path)))
  const scripts = new Set(
    Object.keys(skillFiles)
      .filter((path) => path.includes('/scripts/'))
      .map((path) => join(skills, path)),
  )
  const paths = { tried: 0, missing: [] as string[] }

  return {
    skills,
    work,
    scripts,
    paths,
    async find(path) {
      const wanted = resolve(work, path)
      const real = await realpath(wanted).catch(() => undefined)
      const found = real !== undefined && isInside(real, root) ? real : undefined
      const isOfSkill = isInside(wanted, skills) || (found === undefined && names.has(basename(wanted)))
      if (isOfSkill) {
        paths.tried++
        if (found === undefined) paths.missing.push(path)
      }
      return found
    },
    async read(path) {
      const real = await realpath(resolve(work, path)).catch(() => undefined)
      return real !== undefined && isInside(real, work) ? await readFile(real, 'utf8') : undefined
    },
    async write(path, content) {
      const file = resolve(work, path)
      // None of its folders may be a link that leads out: checked before anything is created.
      if (!isInside(file, work) || !(await leadsInto(file, work))) {
        throw new Error(`${path} is outside of the working folder ${work}.`)
      }
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content, { flag: WRITE })
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

function isInside(path: string, folder: string): boolean {
  const fromFolder = relative(folder, path)
  return fromFolder !== '' && fromFolder !== '..' && !fromFolder.startsWith(`..${sep}`) && !isAbsolute(fromFolder)
}

/** Whether the existing part of a path is, by its real path, a folder or in that folder. */
async function leadsInto(path: string, folder: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) return leadsInto(dirname(path), folder)
  return real === folder || isInside(real, folder)
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content, { mode: path.includes('/scripts/') ? 0o755 : 0o644 })
  }
}
