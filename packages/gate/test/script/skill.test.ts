import { describe, expect, it } from 'vitest'
import { findScript, type SkillScripts } from '../../src/skill-scripts.ts'
import { isScriptOf, runLocation } from '../../src/internal.ts'

const skill = (more: Partial<SkillScripts> = {}): SkillScripts => ({
  name: 'pdf',
  location: '/skills/pdf',
  scripts: ['scripts/go.sh', 'tools/run'],
  ...more,
})
const mount = { path: 'private:/.skills/pdf', location: '/tasks/1/pdf' }

describe('the script of a skill that a path names', () => {
  it.each([
    ['/skills/pdf/scripts/go.sh', 'scripts/go.sh'],
    ['/skills/pdf/tools/run', 'tools/run'],
    ['scripts/go.sh', 'scripts/go.sh'],
    ['./tools/../tools/run', 'tools/run'],
    ['../skills/pdf/scripts/go.sh', 'scripts/go.sh'],
    ['/alias/pdf/scripts/go.sh', 'scripts/go.sh'],
    ['/tasks/1/pdf/tools/run', 'tools/run'],
    ['private:/.skills/pdf/tools/run', 'tools/run'],
    ['/skills/pdf/a.md', undefined],
    ['/skills/csv/scripts/go.sh', undefined],
    ['/other/tools/run', undefined],
    ['scripts/unknown.sh', undefined],
    ['', undefined],
  ])('[GATE-4] %j is %j, by whichever of the skill’s places', (path, script) => {
    expect(findScript(path, skill({ alias: '/alias/pdf', mount }), '/project')).toBe(script)
  })

  it('[GATE-4] is none by a place that the skill does not have', () => {
    for (const path of ['/alias/pdf/tools/run', '/tasks/1/pdf/tools/run', 'private:/.skills/pdf/tools/run'])
      expect(findScript(path, skill(), '/project')).toBeUndefined()
  })

  it('[GATE-4] is taken against every folder above where the working folder is unknown', () => {
    expect(findScript('pdf/tools/run', skill(), undefined)).toBe('tools/run')
    expect(findScript('pdf/tools/run', skill(), '/project')).toBeUndefined()
    expect(findScript('pdf/tools/run', skill(), '/skills')).toBe('tools/run')
  })
})

describe('a script of a skill', () => {
  it.each([
    ['scripts/go.sh', true],
    ['scripts/new.py', true],
    ['./scripts//GO.SH', true],
    ['tools/run', true],
    ['TOOLS/./run', true],
    ['tools/run2', false],
    ['references/guide.md', false],
    ['', false],
  ])('[GATE-4] %j is one: %s', (path, is) => {
    expect(isScriptOf(skill(), path)).toBe(is)
  })

  it('[ACT-5, GATE-4] is run in the private copy, if there is one', () => {
    expect(runLocation(skill())).toBe('/skills/pdf')
    expect(runLocation(skill({ mount }))).toBe('/tasks/1/pdf')
  })
})
