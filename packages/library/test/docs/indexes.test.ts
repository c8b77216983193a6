import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRepertoire, memorySource } from '@repertoire/core'
import { expect, it, onTestFinished } from 'vitest'
import { skillText } from '../origins/skill-text.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { fetchPlugin } from './indexes-example.ts'
import { importDocsServer, openDocsServer, serve } from './mcp-example.ts'

it('[LIB-10, ADPT-4] the program of the page fetches a plugin of a marketplace', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, '.claude-plugin'))
  mkdirSync(join(root, 'office/skills/pdf'), { recursive: true })
  const plugins = [{ name: 'office', source: './office' }]
  writeFileSync(join(root, '.claude-plugin/marketplace.json'), JSON.stringify({ name: 'team', plugins }))
  writeFileSync(join(root, 'office/skills/pdf/SKILL.md'), skillText('pdf'))
  expect((await fetchPlugin(root, 'office')).skills.map(({ name }) => name)).toEqual(['pdf'])
  await expect(fetchPlugin(root, 'none')).rejects.toThrow('office')
})

it('[DISC-12, ADPT-4] the programs of the page serve skills, read them, and import them', async () => {
  const skills = { pdf: { 'SKILL.md': skillText('pdf') } }
  const server = await serve(await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] }))
  onTestFinished(() => server.close())
  const repertoire = await openDocsServer(server.url)
  expect(repertoire.catalog.get('pdf').location).toBe('mcp:docs/skill://pdf')
  expect((await importDocsServer(server.url)).skills.map(({ name }) => name)).toEqual(['pdf'])
})
