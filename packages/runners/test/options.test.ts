import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { openBubblewrapRunner, processRunner, sandboxRunner, virtualRunner } from '../src/index.ts'

const path = tmpdir()
const sandbox = { name: 's', write: async () => {}, exec: async () => '' }

const CALLS: Readonly<Record<string, (options: any) => unknown>> = {
  openBubblewrapRunner: (options) => openBubblewrapRunner(options),
  processRunner: (options) => processRunner(options),
  sandboxRunner: (options) => sandboxRunner({ ...sandbox, ...options }),
  virtualRunner: (options) => virtualRunner(options),
}

it.each([
  [
    'openBubblewrapRunner',
    { workspace: { path, hid: [] } },
    'unknown option `workspace.hid`. Did you mean `workspace.hide`?',
  ],
  [
    'openBubblewrapRunner',
    { workspace: { path, access: 'all' } },
    '`workspace.access` is "all". Give "read" or "write".',
  ],
  ['openBubblewrapRunner', { toolchains: '/opt' }, '`toolchains` is "/opt". Give a list of folders.'],
  ['openBubblewrapRunner', { bubblewrp: '/bin/bwrap' }, 'Did you mean `bubblewrap`?'],
  ['processRunner', { workspace: path }, '`workspace` is'],
  ['processRunner', { workspace: { path, hid: [] } }, 'Did you mean `workspace.hide`?'],
  ['processRunner', { workspce: path }, 'Did you mean `workspace`?'],
  ['sandboxRunner', { workspace: '/home/user' }, '`workspace` is "/home/user".'],
  ['sandboxRunner', { isolate: false }, 'Did you mean `isolated`?'],
  ['sandboxRunner', { exec: undefined }, '`exec` is missing.'],
  ['virtualRunner', { workspace: { path, hid: [] } }, 'Did you mean `workspace.hide`?'],
])('[CFG-1, ABUSE-133] %s refuses %j', async (name, options, message) => {
  const call = async (): Promise<unknown> => CALLS[name]!(options)
  await expect(call()).rejects.toThrow(TypeError)
  await expect(call()).rejects.toThrow(`${name}: `)
  await expect(call()).rejects.toThrow(message)
})
