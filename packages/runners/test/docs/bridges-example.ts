import type { ScriptRunner } from '@repertoire/core'
import { sandboxRunner } from '@repertoire/runners'
import type { Experimental_SandboxSession as SandboxSession } from 'ai'
import type { SandboxBackendProtocolV2 } from 'deepagents'
import { execa } from 'execa'

/** `Sandbox` of E2B, as far as it is used. */
export interface E2bSandbox {
  readonly files: { write(files: { path: string; data: ArrayBuffer }[]): Promise<unknown> }
  readonly commands: { run(line: string, options: { timeoutMs: number }): Promise<{ stdout: string }> }
}

export function e2bRunner(sandbox: E2bSandbox): ScriptRunner {
  return sandboxRunner({
    name: 'E2B',
    write: (files) =>
      sandbox.files.write(files.map(({ path, bytes }) => ({ path, data: Uint8Array.from(bytes).buffer }))),
    exec: async (line, { timeoutMs }) => (await sandbox.commands.run(line, { timeoutMs })).stdout,
  })
}

/** `Sandbox` of Vercel, as far as it is used. */
export interface VercelSandbox {
  writeFiles(files: { path: string; content: Buffer }[]): Promise<unknown>
  runCommand(command: { cmd: string; args: string[]; signal: AbortSignal }): Promise<{ stdout(): Promise<string> }>
}

export function vercelRunner(sandbox: VercelSandbox): ScriptRunner {
  return sandboxRunner({
    name: 'Vercel Sandbox',
    write: (files) => sandbox.writeFiles(files.map(({ path, bytes }) => ({ path, content: Buffer.from(bytes) }))),
    async exec(line, { signal }) {
      const command = await sandbox.runCommand({ cmd: 'sh', args: ['-c', line], signal })
      return command.stdout()
    },
  })
}

/** `Sandbox` of Daytona, as far as it is used. */
export interface DaytonaSandbox {
  readonly fs: { uploadFile(file: Buffer, path: string): Promise<void> }
  readonly process: {
    executeCommand(
      line: string,
      folder?: string,
      env?: Record<string, string>,
      seconds?: number,
    ): Promise<{ result: string }>
  }
}

export function daytonaRunner({ fs, process }: DaytonaSandbox): ScriptRunner {
  return sandboxRunner({
    name: 'Daytona',
    async write(files) {
      for (const { path, bytes } of files) await fs.uploadFile(Buffer.from(bytes), path)
    },
    async exec(line, { timeoutMs }) {
      return (await process.executeCommand(line, undefined, undefined, Math.ceil(timeoutMs / 1_000))).result
    },
  })
}

/** A container that runs, by its name. `docker` can be `podman`. */
export function dockerRunner(container: string, docker = 'docker'): ScriptRunner {
  return sandboxRunner({
    name: `the container ${container}`,
    async write(files) {
      for (const { path, bytes } of files)
        await execa(docker, ['exec', '-i', container, 'sh', '-c', 'cat >"$1"', 'sh', path], { input: bytes })
    },
    async exec(line, { signal }) {
      return (await execa(docker, ['exec', container, 'sh', '-c', line], { cancelSignal: signal })).stdout
    },
  })
}

export function sessionRunner(session: SandboxSession): ScriptRunner {
  return sandboxRunner({
    name: 'the sandbox of AI SDK',
    async write(files) {
      for (const { path, bytes } of files) await session.writeBinaryFile({ path, content: bytes })
    },
    exec: async (command, { signal }) => (await session.run({ command, abortSignal: signal })).stdout,
    notes: [session.description],
  })
}

/** A sandbox of Mastra's workspaces, as far as it is used. */
export interface MastraSandbox {
  writeFiles(files: { path: string; content: Uint8Array }[]): Promise<unknown>
  executeCommand(
    command: string,
    args: string[],
    options: { timeout: number; abortSignal: AbortSignal },
  ): Promise<{ stdout: string }>
}

export function mastraRunner(sandbox: MastraSandbox, isolated: boolean): ScriptRunner {
  return sandboxRunner({
    name: 'the sandbox of Mastra',
    write: (files) => sandbox.writeFiles(files.map(({ path, bytes }) => ({ path, content: bytes }))),
    async exec(line, { timeoutMs, signal }) {
      const options = { timeout: timeoutMs, abortSignal: signal }
      return (await sandbox.executeCommand('sh', ['-c', line], options)).stdout
    },
    // Its LocalSandbox isolates nothing by default.
    isolated,
  })
}

export function backendRunner(
  backend: Required<Pick<SandboxBackendProtocolV2, 'execute' | 'uploadFiles'>>,
): ScriptRunner {
  return sandboxRunner({
    name: 'the backend of deepagents',
    write: async (files) => backend.uploadFiles(files.map(({ path, bytes }) => [path, bytes])),
    exec: async (line) => (await backend.execute(line)).output,
  })
}
