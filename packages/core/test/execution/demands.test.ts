import { expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { inspectDemands, parseSkill } from '../../src/authoring.ts'

const FIELDS =
  'allowed-tools: Read Bash(make:*)\ndisallowed-tools: Write\nhooks:\n  pre: ./check.sh\ntoolsets: [tools/a:A]\n'
it('[LIB-12] lists what a skill asks for and brings, and reads no script for that', async () => {
  const skill = {
    'SKILL.md': `---\nname: tool\ndescription: A tool.\n${FIELDS}---\nDo it.\n`,
    'scripts/get.sh': 'curl https://script.example.com\n',
    'scripts/.hidden.py': '',
  }
  const { catalog } = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: { tool: skill } })] })
  const { folder } = catalog.get('tool')
  expect(await inspectDemands(await parseSkill(skill['SKILL.md']), folder)).toEqual({
    allowedTools: ['Read', 'Bash(make:*)'],
    unbounded: 'may do anything that make can do on this machine',
    disallowedTools: ['Write'],
    scripts: ['scripts/get.sh', 'scripts/.hidden.py'],
    hooks: ['./check.sh'],
    toolsets: ['tools/a:A'],
  })
  const plain = await parseSkill('---\nname: tool\ndescription: A tool.\n---\n')
  expect(await inspectDemands(plain, folder)).toMatchObject({ allowedTools: undefined, hooks: [] })
})
