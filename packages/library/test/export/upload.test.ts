import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { applyPlan, exportUploads, planAdd, resolveOrigin } from '@repertoire/library'
import { uploadSkill } from 'ai'
import { expect, it, onTestFinished } from 'vitest'
import { put } from '../install/project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A provider that notes the files of each skill, by their paths, as a form brings them. */
async function provider() {
  const forms: Record<string, string>[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const form = await new Response(Buffer.concat(chunks), { headers }).formData()
      const files: Record<string, string> = {}
      for (const file of form.getAll('files[]')) {
        if (file instanceof File) files[file.name] = Buffer.from(await file.arrayBuffer()).toString('hex')
      }
      forms.push(files)
      response.setHeader('content-type', 'application/json')
      const isAnthropic = request.headers['anthropic-version'] !== undefined
      const more = isAnthropic ? { source: 'custom', created_at: '', updated_at: '' } : { created_at: 1 }
      response.end(JSON.stringify({ id: `skill_${forms.length}`, ...more }))
    })()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { forms, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

it('[ADPT-9] the AI SDK uploads an exported skill, byte by byte, also what was kept as JSON', async () => {
  const [project, from] = [temporaryFolder(), temporaryFolder()]
  put(from, 'pdf/SKILL.md', '---\nname: pdf\ndescription: Reads.\n---\nRead.\n')
  put(from, 'pdf/assets/é.bin', '\u{FEFF}\0')
  await applyPlan(await planAdd({ project, origins: [await resolveOrigin(from)] }))
  const repertoire = await openRepertoire({ sources: [directorySource({ root: join(project, '.agents/skills') })] })
  const { uploads } = await exportUploads({ project, repertoire })
  const upload = uploads[0]!
  const files = upload.files.map(({ path, data }) => {
    return { path, data: { type: 'data' as const, data: Buffer.from(data).toString('base64') } }
  })
  const { forms, baseURL } = await provider()
  const apis = [createAnthropic({ baseURL, apiKey: 'x' }), createOpenAI({ baseURL, apiKey: 'x' })]
  for (const api of apis) {
    expect(Object.values((await uploadSkill({ api, ...upload })).providerReference)).toEqual([`skill_${forms.length}`])
    await uploadSkill({ api, ...upload, files })
  }
  const expected = Object.fromEntries(upload.files.map(({ path, data }) => [path, Buffer.from(data).toString('hex')]))
  expect(Object.keys(expected)).toEqual(['pdf/SKILL.md', 'pdf/assets/é.bin'])
  expect(forms).toEqual([expected, expected, expected, expected])
})
