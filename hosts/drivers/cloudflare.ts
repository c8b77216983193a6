import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { HostDriver } from '@repertoire/conformance/host'
import { loadSkillCatalog, workspace } from 'agents/skills'
import { createSkillTools } from 'agents/skills/tools/ai-sdk'
import { aiSdkHost } from '../ai-sdk.ts'
import { versionOf } from '../version.ts'

/** `agents/skills` of Cloudflare. Sources read a Workspace, an R2 bucket or a bundle; here Node's files are one. */
export const cloudflare: HostDriver = {
  name: 'Cloudflare agents',
  version: versionOf('agents'),
  documentation: 'https://developers.cloudflare.com/agents/skills/sources/computer/',
  async start(task) {
    const catalog = await loadSkillCatalog([workspace({ fs: { find, readFile } }, { root: task.folder })])
    return aiSdkHost(task, createSkillTools(catalog), catalog.prompt())
  },
  activate: (skill) => ({ tool: 'activate_skill', input: { name: skill } }),
  read: (skill, path) => ({ tool: 'read_skill_resource', input: { name: skill, path } }),
}

async function find(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.map((entry) => ({
    path: join(entry.parentPath, entry.name),
    type: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'symlink',
  }))
}

async function readFile(path: string) {
  return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
}
