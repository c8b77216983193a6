import { lstat, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fault, type HostFault, reading } from './break.ts'

function givingUp(wrong: string, check: string, because: string): HostFault {
  const { change } = reading(wrong, check, (text) => {
    if (text.includes(because)) throw new Error(text.slice(0, 200))
    return text
  })
  return fault(wrong, check, change, { because })
}

export const resourcesFaults: readonly HostFault[] = [
  reading('decodes escapes in files', 'resources-read', (text) => text.replaceAll('\\n', '\n')),
  fault('reads only the folders that the standard names', 'resources-beside', ({ resolve: find }) => ({
    async resolve(skill, path) {
      if (/^(?:scripts|references|assets)(?:\/|$)/.test(path)) return find(skill, path)
      throw new Error('The path is not permitted.')
    },
  })),
  fault('reads no folder of a folder', 'resources-nested', ({ resolve: find }) => ({
    async resolve(skill, path) {
      if (!path.startsWith('.') && path.split('/').length > 2) throw new Error('The path is not permitted.')
      return find(skill, path)
    },
  })),
  fault('encodes the names of files', 'resources-nested', ({ resolve: find }) => ({
    resolve: (skill, path) => find(skill, encodeURI(path)),
  })),
  reading('cuts files without saying so', 'resources-large', (text) => text.replace('\n(The file is cut.)', '')),
  reading('answers nothing where a file is missing', 'resources-missing-told', (text) =>
    text.startsWith('Error: ENOENT') ? '' : text,
  ),
  givingUp('gives up when a folder is read', 'resources-folder', 'EISDIR'),
  givingUp('gives up at a file that is not text', 'resources-binary-safe', '\uFFFD'),
  fault('takes the name of a skill for a path when it reads a file', 'resources-skill-traversal', ({ read }) => ({
    async read(skills, name, path) {
      const folder = resolve(dirname(skills[0]?.folder ?? ''), name)
      return skills.some((skill) => skill.name === name)
        ? read(skills, name, path)
        : readFile(join(folder, path), 'utf8').catch(String)
    },
  })),
  fault('follows `..` in paths', ['resources-traversal', 'resources-other-skill'], () => ({
    resolve: async ({ folder }, path) => (path.startsWith('.') ? join(folder, path) : inside(folder, path)),
  })),
  fault('decodes a path after it has checked it', 'resources-encoded', ({ resolve: find }) => ({
    async resolve(skill, path) {
      const decoded = decodeURIComponent(path)
      return decoded === path ? find(skill, path) : join(skill.folder, decoded)
    },
  })),
  fault('reads absolute paths', 'resources-absolute', ({ resolve: find }) => ({
    resolve: async (skill, path) => (path.startsWith('/') ? path : find(skill, path)),
  })),
  fault('follows links', 'resources-link-out', ({ resolve: find }) => ({
    async resolve(skill, path) {
      const file = resolve(skill.folder, path)
      return path.startsWith('/') || relative(skill.folder, file).startsWith('..') ? find(skill, path) : file
    },
  })),
]

async function inside(folder: string, path: string): Promise<string> {
  const file = resolve(folder, path)
  if (path.startsWith('/') || (await lstat(file)).isSymbolicLink() || path.startsWith('references/up/'))
    throw new Error('The path leads out of the skill.')
  return file
}
