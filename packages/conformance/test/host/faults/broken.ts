import { lstat } from 'node:fs/promises'
import type { ToySkill } from '../toy-host.ts'
import { failing, unreadable, type HostFault } from './break.ts'

export const brokenFaults: readonly HostFault[] = [
  {
    wrong: 'gives up at invalid YAML',
    fails: ['broken-yaml'],
    because: 'broken cannot be read.',
    change: failing((text) => text.includes('"open\n')),
  },
  {
    wrong: 'gives up at a file without frontmatter',
    fails: ['broken-no-frontmatter'],
    because: 'broken cannot be read.',
    change: failing((text) => text.startsWith('#')),
  },
  {
    wrong: 'gives up at frontmatter that does not end',
    fails: ['broken-unclosed'],
    because: 'broken cannot be read.',
    change: failing((text) => text.startsWith('---\n') && !text.includes('\n---\n')),
  },
  {
    wrong: 'gives up at an empty file',
    fails: ['broken-empty'],
    because: 'broken cannot be read.',
    change: failing((text) => text === ''),
  },
  {
    wrong: 'gives up at a file that is not text',
    fails: ['broken-not-text'],
    because: 'broken cannot be read.',
    change: failing((text) => text.includes('\uFFFD')),
  },
  {
    wrong: 'gives up at a name that is a list',
    fails: ['broken-types'],
    because: 'broken cannot be read.',
    change: failing((text) => text.includes('name: [')),
  },
  {
    wrong: 'gives up at a folder without a manifest',
    fails: ['broken-no-manifest'],
    because: 'ENOENT',
    change: unreadable(async ({ code }, path) => code === 'ENOENT' && (await lstat(path)).isDirectory()),
  },
  {
    wrong: 'gives up at a folder that is named like a manifest',
    fails: ['broken-manifest-folder'],
    because: 'EISDIR',
    change: unreadable(async ({ code }) => code === 'EISDIR'),
  },
  {
    wrong: 'gives up at a file between the folders',
    fails: ['broken-stray-file'],
    because: 'ENOTDIR',
    change: unreadable(async ({ code }) => code === 'ENOTDIR'),
  },
  {
    wrong: 'gives up at a link that leads nowhere',
    fails: ['broken-link'],
    because: 'ENOENT',
    change: unreadable(async ({ code }, path) => code === 'ENOENT' && (await lstat(path)).isSymbolicLink()),
  },
  {
    wrong: 'runs frontmatter that is JavaScript',
    fails: ['broken-no-code-runs'],
    change: ({ parse }) => ({
      async parse(bytes, folder) {
        const [, code] = /^---js\n([^]*?)\n---/.exec(Buffer.from(bytes).toString()) ?? []
        // oxlint-disable-next-line no-implied-eval -- the fault
        const data = code === undefined ? undefined : (new Function(`return ${code}`)() as ToySkill)
        return data === undefined ? parse(bytes, folder) : { ...data, body: '', folder }
      },
    }),
  },
  {
    wrong: 'runs functions that YAML contains',
    fails: ['broken-no-yaml-code'],
    change: ({ parse }) => ({
      async parse(bytes, folder) {
        const [, code] = /!!js\/function '(.*)'/.exec(Buffer.from(bytes).toString()) ?? []
        // oxlint-disable-next-line no-implied-eval -- the fault
        if (code !== undefined) new Function(`return (${code})()`)()
        return parse(bytes, folder)
      },
    }),
  },
  {
    wrong: 'lists skills without a description',
    fails: ['broken-no-description-left-out'],
    change: ({ parse }) => ({
      async parse(bytes, folder) {
        const [, name] = /^---\nname: (\w+)\n---\n/.exec(Buffer.from(bytes).toString()) ?? []
        return name === undefined ? parse(bytes, folder) : { name, description: '', body: '', folder }
      },
    }),
  },
]
