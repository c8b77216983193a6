export { openBubblewrapRunner, type BubblewrapRunnerOptions } from './bubblewrap/open.ts'
export { processRunner, type ProcessRunnerOptions } from './process/runner.ts'
export { sandboxRunner, type SandboxCall, type SandboxFile, type SandboxOptions } from './sandbox/runner.ts'
export { virtualRunner, type VirtualRunnerOptions } from './virtual/runner.ts'
