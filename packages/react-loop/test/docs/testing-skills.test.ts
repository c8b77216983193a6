import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'

const SKILL = `---
name: release-notes
description: Writes release notes. Use it for every release.
allowed-tools: Bash(git log:*)
---

Name what changed for users.
`

// The example is a test: it runs here, in a project with the skill.
await import('./testing-skills-example.ts')
let project = ''
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'repertoire-docs-'))
  const folder = join(project, '.agents/skills/release-notes')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), SKILL)
  vi.spyOn(process, 'cwd').mockReturnValue(project)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await rm(project, { recursive: true })
})
