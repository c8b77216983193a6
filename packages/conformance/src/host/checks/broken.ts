import type { HostSkills } from '../workspace.ts'
import { activating } from '../moves.ts'
import { hostChecksOf, manifest, PLAIN, scene } from './define.ts'

/** A check that a sound skill is listed beside something that is broken. */
function survives(id: string, what: string, broken: HostSkills | string) {
  return scene(id, `lists the other skills beside ${what}`, ([word]) => ({
    skills: { ...(typeof broken === 'string' ? { broken } : broken), sound: manifest('sound', `Sound ${word}.`) },
    shows: [`Sound ${word}.`],
  }))
}

/** A check that no code of a manifest runs: not when it is listed, and not when it is activated. */
function runsNothing(id: string, demands: string, manifestOf: (code: string) => string) {
  return scene(id, demands, (_, { trace }) => {
    // An expression that writes a file, in any module system of Node.
    const code = `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(trace)}, "ran")`
    return { skills: { ...PLAIN, coded: manifestOf(code) }, moves: [activating('coded')] }
  })
}

export const brokenHostChecks = hostChecksOf('broken', [
  survives(
    'broken-yaml',
    'a skill with invalid YAML',
    '---\nname: broken\ndescription: "open\n  : - [\n---\n\nBody.\n',
  ),
  survives('broken-no-frontmatter', 'a skill without frontmatter', '# Only a heading\n\nText.\n'),
  survives(
    'broken-unclosed',
    'a skill whose frontmatter does not end',
    '---\nname: broken\ndescription: Never ends.\n\nText.\n',
  ),
  survives('broken-empty', 'an empty `SKILL.md`', ''),
  survives('broken-not-text', 'a `SKILL.md` that is not text', {
    broken: { 'SKILL.md': Buffer.from(manifest('broken', 'Bad \u00ff\u00fe.'), 'latin1') },
  }),
  survives(
    'broken-types',
    'a skill whose name and description are not text',
    '---\nname: [a, b]\ndescription: { a: 1 }\n---\n\nBody.\n',
  ),
  survives('broken-no-manifest', 'a folder without `SKILL.md`', { broken: { 'README.md': 'Nothing.' } }),
  survives('broken-manifest-folder', 'a folder named `SKILL.md`', { broken: { 'SKILL.md/README.md': 'Nothing.' } }),
  survives('broken-stray-file', 'a file between the folders', { '.': { 'notes.txt': 'Nothing.' } }),
  survives('broken-link', 'a link that leads nowhere', { '.': { gone: { link: './never-was' } } }),
  runsNothing(
    'broken-no-code-runs',
    'runs no code in frontmatter that names a language (`---js`)',
    (code) => `---js\n{ name: "coded", description: (${code}, "Coded.") }\n---\n\nBody.\n`,
  ),
  runsNothing('broken-no-yaml-code', 'runs no code that YAML tags make (`!!js/function`)', (code) => {
    const described = `description:\n  toString: !!js/function 'function () { ${code}; return "Coded." }'`
    return `---\nname: coded\n${described}\n---\n\nBody.\n`
  }),
  scene(
    'broken-no-description-left-out',
    'leaves out a skill without a description, which the standard requires',
    ([word, nameless]) => ({
      skills: { sound: manifest('sound', `Sound ${word}.`), [nameless]: `---\nname: ${nameless}\n---\n\nBody.\n` },
      shows: [word],
      hides: [nameless],
    }),
    { level: 'SHOULD' },
  ),
])
