import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type HostFault } from './break.ts'

export const resourcesFaults: readonly HostFault[] = [
  {
    wrong: 'decodes escapes in files',
    fails: ['resources-read'],
    change: ({ read }) => ({
      read: async (skills, name, path) => (await read(skills, name, path)).replaceAll('\\n', '\n'),
    }),
  },
  {
    wrong: 'reads only the folders that the standard names',
    fails: ['resources-beside'],
    change: ({ resolve: find }) => ({
      async resolve(skill, path) {
        if (/^(?:scripts|references|assets)(?:\/|$)/.test(path)) return find(skill, path)
        throw new Error('The path is not permitted.')
      },
    }),
  },
  {
    wrong: 'reads no folder of a folder',
    fails: ['resources-nested'],
    change: ({ resolve: find }) => ({
      async resolve(skill, path) {
        if (!path.startsWith('.') && path.split('/').length > 2) throw new Error('The path is not permitted.')
        return find(skill, path)
      },
    }),
  },
  {
    wrong: 'encodes the names of files',
    fails: ['resources-nested'],
    change: ({ resolve: find }) => ({ resolve: (skill, path) => find(skill, encodeURI(path)) }),
  },
  {
    wrong: 'cuts files without saying so',
    fails: ['resources-large'],
    change: ({ read }) => ({
      read: async (skills, name, path) => (await read(skills, name, path)).replace('\n(The file is cut.)', ''),
    }),
  },
  {
    wrong: 'answers nothing where a file is missing',
    fails: ['resources-missing-told'],
    change: ({ read }) => ({
      async read(skills, name, path) {
        const text = await read(skills, name, path)
        return text.startsWith('Error: ENOENT') ? '' : text
      },
    }),
  },
  {
    wrong: 'gives up when a folder is read',
    fails: ['resources-folder'],
    because: 'EISDIR',
    change: ({ read }) => ({
      async read(skills, name, path) {
        const text = await read(skills, name, path)
        if (text.startsWith('Error: EISDIR')) throw new Error(text)
        return text
      },
    }),
  },
  {
    wrong: 'gives up at a file that is not text',
    fails: ['resources-binary-safe'],
    because: 'The file is not text.',
    change: ({ read }) => ({
      async read(skills, name, path) {
        const text = await read(skills, name, path)
        if (text.includes('\uFFFD')) throw new Error('The file is not text.')
        return text
      },
    }),
  },
  {
    wrong: 'takes the name of a skill for a path when it reads a file',
    fails: ['resources-skill-traversal'],
    change: ({ read }) => ({
      async read(skills, name, path) {
        const folder = resolve(dirname(skills[0]?.folder ?? ''), name)
        return skills.some((skill) => skill.name === name)
          ? read(skills, name, path)
          : readFile(join(folder, path), 'utf8').catch(String)
      },
    }),
  },
  {
    wrong: 'follows `..` in paths',
    fails: ['resources-traversal', 'resources-other-skill'],
    change: () => ({
      resolve: async ({ folder }, path) => (path.startsWith('.') ? join(folder, path) : inside(folder, path)),
    }),
  },
  {
    wrong: 'decodes a path after it has checked it',
    fails: ['resources-encoded'],
    change: ({ resolve: find }) => ({
      async resolve(skill, path) {
        const decoded = decodeURIComponent(path)
        return decoded === path ? find(skill, path) : join(skill.folder, decoded)
      },
    }),
  },
  {
    wrong: 'reads absolute paths',
    fails: ['resources-absolute'],
    change: ({ resolve: find }) => ({
      resolve: async (skill, path) => (path.startsWith('/') ? path : find(skill, path)),
    }),
  },
  {
    wrong: 'follows links',
    fails: ['resources-link-out'],
    change: ({ resolve: find }) => ({
      async resolve(skill, path) {
        const file = resolve(skill.folder, path)
        return path.startsWith('/') || relative(skill.folder, file).startsWith('..') ? find(skill, path) : file
      },
    }),
  },
  {
    wrong: 'reads the files of all skills',
    fails: ['resources-other-skill'],
    change: ({ resolve: find }) => ({
      async resolve(skill, path) {
        const file = resolve(skill.folder, path)
        const isSkill = !relative(dirname(skill.folder), file).startsWith('..') && !path.startsWith('/')
        return isSkill && basename(file) === 'own.md' ? file : find(skill, path)
      },
    }),
  },
]

async function inside(folder: string, path: string): Promise<string> {
  const file = resolve(folder, path)
  if (path.startsWith('/') || (await lstat(file)).isSymbolicLink() || path.startsWith('references/up/'))
    throw new Error('The path leads out of the skill.')
  return file
}
