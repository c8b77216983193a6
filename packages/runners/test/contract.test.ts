import process from 'node:process'
import { openBubblewrap, processRunner, virtualRunner } from '@repertoire/runners'
import { runnerContract } from '@repertoire/runners/testing'
import { afterAll, describe, it } from 'vitest'
import { loopbackRunner, openLoopbackSandbox } from './loopback-sandbox.ts'

const framework = { describe, it, afterAll }
const isRoot = process.getuid?.() === 0

runnerContract(
  {
    name: 'virtual',
    open: virtualRunner,
    lacks: {
      'binary-output': 'the shell gives text',
      'partial-output': 'the shell returns output at its end',
      'exact-counts': 'a flood ends the script',
      background: 'it waits for what was started in the background',
      signals: 'there are no processes to signal',
    },
  },
  framework,
)
runnerContract(
  {
    name: 'bubblewrap',
    open: () => openBubblewrap(),
    lacks: { signals: 'bubblewrap returns 128 and the number of the signal' },
  },
  framework,
)
runnerContract(
  {
    name: 'process',
    open: () => processRunner(),
    lacks: {
      ...(isRoot && { 'read-only-files': 'root may write to everything' }),
      ...(!isRoot && { 'read-only-files': 'the files belong to the user who runs the script' }),
      signals: 'a shell waits for the script and returns 128 and the number of the signal',
      'host-files': 'the script has the rights of the host',
      'no-network': 'the script has the network of the host',
      'process-limit': 'the system counts all processes of the user',
      'folder-limit': 'the script writes to the disks of the host',
    },
  },
  framework,
)

const sandbox = await openLoopbackSandbox()
afterAll(() => sandbox.close())
runnerContract(
  {
    name: 'a sandbox behind HTTP',
    open: () => loopbackRunner(sandbox.url),
    lacks: {
      ...(isRoot && { 'read-only-files': 'root may write to everything' }),
      ...(!isRoot && { 'read-only-files': 'the files belong to the user who runs the script' }),
      escapees: 'a process group is all that a shell can end',
      signals: 'a shell returns 128 and the number of the signal',
      'host-files': 'this sandbox is the machine itself',
      'host-processes': 'this sandbox is the machine itself',
      'no-network': 'this sandbox is the machine itself',
      'process-limit': 'a shell cannot set it',
      'folder-limit': 'a shell cannot set it',
    },
  },
  framework,
)
