import { lstat } from 'node:fs/promises'
import type { ToySkill } from '../toy-host.ts'
import { fault, type HostFault } from './break.ts'

/** A host that gives up at a file whose text matches. */
function choking(at: string, check: string, matches: (text: string) => boolean): HostFault {
  const change: HostFault['change'] = ({ parse }) => ({
    async parse(bytes, folder) {
      if (matches(Buffer.from(bytes).toString())) throw new Error(`${folder} cannot be read.`)
      return parse(bytes, folder)
    },
  })
  return fault(`gives up at ${at}`, check, change, { because: 'broken cannot be read.' })
}

/** A host that gives up at a place which has no file that can be read. */
function stumbling(at: string, check: string, because: string, isLink?: boolean): HostFault {
  const change: HostFault['change'] = () => ({
    async unreadable(error, path) {
      if (error.code !== because) return undefined
      if (isLink === undefined || (await lstat(path)).isSymbolicLink() === isLink) throw error
      return undefined
    },
  })
  return fault(`gives up at ${at}`, check, change, { because })
}

export const brokenFaults: readonly HostFault[] = [
  choking('invalid YAML', 'broken-yaml', (text) => text.includes('"open\n')),
  choking('a file without frontmatter', 'broken-no-frontmatter', (text) => text.startsWith('#')),
  choking(
    'frontmatter that does not end',
    'broken-unclosed',
    (text) => text.startsWith('---\n') && !text.includes('\n---\n'),
  ),
  choking('an empty file', 'broken-empty', (text) => text === ''),
  choking('a file that is not text', 'broken-not-text', (text) => text.includes('\uFFFD')),
  choking('a name that is a list', 'broken-types', (text) => text.includes('name: [')),
  stumbling('a folder without a manifest', 'broken-no-manifest', 'ENOENT', false),
  stumbling('a folder that is named like a manifest', 'broken-manifest-folder', 'EISDIR'),
  stumbling('a file between the folders', 'broken-stray-file', 'ENOTDIR'),
  stumbling('a link that leads nowhere', 'broken-link', 'ENOENT', true),
  fault('runs frontmatter that is JavaScript', 'broken-no-code-runs', ({ parse }) => ({
    async parse(bytes, folder) {
      const [, code] = /^---js\n([^]*?)\n---/.exec(Buffer.from(bytes).toString()) ?? []
      // oxlint-disable-next-line no-implied-eval -- the fault
      const data = code === undefined ? undefined : (new Function(`return ${code}`)() as ToySkill)
      return data === undefined ? parse(bytes, folder) : { ...data, body: '', folder }
    },
  })),
  fault('runs functions that YAML contains', 'broken-no-yaml-code', ({ parse }) => ({
    async parse(bytes, folder) {
      const [, code] = /!!js\/function '(.*)'/.exec(Buffer.from(bytes).toString()) ?? []
      // oxlint-disable-next-line no-implied-eval -- the fault
      if (code !== undefined) new Function(`return (${code})()`)()
      return parse(bytes, folder)
    },
  })),
  fault('lists skills without a description', 'broken-no-description-left-out', ({ parse }) => ({
    async parse(bytes, folder) {
      const [, name] = /^---\nname: (\w+)\n---\n/.exec(Buffer.from(bytes).toString()) ?? []
      return name === undefined ? parse(bytes, folder) : { name, description: '', body: '', folder }
    },
  })),
]
