import process from 'node:process'
import { openBubblewrapRunner, processRunner, virtualRunner } from '@repertoire/runners'
import { runnerContract } from '@repertoire/runners/testing'
import { isMissing } from '@repertoire/test-servers'
import { afterAll, describe, it } from 'vitest'
import { holdToTheContract } from './docs/contract-example.ts'
import { loopbackOptions, openLoopbackSandbox } from './loopback-sandbox.ts'

const framework = { describe, it, afterAll }
const isRoot = process.getuid?.() === 0

runnerContract(
  {
    name: 'virtual',
    open: virtualRunner,
    lacks: {
      'binary-output': 'the shell gives text',
      'partial-output': 'the shell returns output at its end',
      background: 'it waits for what was started in the background',
      signals: 'there are no processes to signal',
    },
  },
  framework,
)
describe.skipIf(isMissing('bubblewrap'))('bubblewrap (needs bubblewrap)', () => {
  const lacks = { signals: 'bubblewrap returns 128 and the number of the signal' }
  runnerContract({ name: 'bubblewrap', open: () => openBubblewrapRunner(), lacks }, framework)
})
runnerContract(
  {
    name: 'process',
    open: () => processRunner(),
    lacks: {
      'read-only-files': isRoot ? 'root may write to everything' : 'the files belong to the user who runs the script',
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
holdToTheContract(loopbackOptions(sandbox.url), {
  'read-only-files': isRoot ? 'root may write to everything' : 'the files belong to the user who runs the script',
  escapees: 'a process group is all that a shell can end',
  'host-files': 'this sandbox is the machine itself',
  'host-processes': 'this sandbox is the machine itself',
  'no-network': 'this sandbox is the machine itself',
  'process-limit': 'a shell cannot set it',
  'folder-limit': 'a shell cannot set it',
})
