import { lastAnswer, learn, reasonIn } from '../answers.ts'
import { holds } from '../holds.ts'
import type { Scenario } from '../scenario.ts'

/** Several similar skills, of which one is right. */
export const chooseSkill: Scenario = {
  id: 'choose-skill',
  title: 'chooses the right one of several look-alike skills',
  prompt:
    'I am sending a parcel to Norway. Which customs form does it need? Write the number of the form, and nothing else, to form.txt.',
  skills: () => ({
    ...customs('customs-eu', 'to the member states of the European Union', 'EU-0417', 'customs-efta for Norway'),
    ...customs('customs-uk', 'to the United Kingdom', 'UK-2290'),
    ...customs('customs-efta', 'to Iceland, Liechtenstein, Norway and Switzerland', 'EF-7731'),
    ...customs('customs-overseas', 'to other continents', 'OV-1058'),
  }),
  async judge({ read }) {
    const form = await read('form.txt')
    return form === 'EF-7731' ? undefined : `form.txt is to hold EF-7731, and ${holds(form)}`
  },
  weak: [
    { calls: [{ tool: 'activate_skill', input: { name: 'customs' } }] },
    // There is none of that name: the first one that the answer names.
    (request) => {
      const name = learn(reasonIn(lastAnswer(request)), /The skills are: .*?(customs-eu)\b/)
      return { calls: [{ tool: 'activate_skill', input: { name } }] }
    },
    // It says itself that it is the wrong one, and may be left.
    (request) => {
      learn(lastAnswer(request), /(customs-efta) for Norway/)
      const tool = learn(request.system, /Call `([^`]+)` when its work is done/)
      return { calls: [{ tool, input: {} }] }
    },
    (request) => {
      learn(lastAnswer(request), /(no longer active)/)
      const name = learn(request.system, /(customs-efta)/)
      return { calls: [{ tool: 'activate_skill', input: { name } }] }
    },
    (request) => {
      const form = learn(lastAnswer(request), /form ([A-Z]+-\d+)/)
      return { calls: [{ tool: 'Write', input: { file_path: 'form.txt', content: form } }] }
    },
    { text: 'The number of the form is in form.txt.' },
  ],
}

function customs(name: string, where: string, form: string, other?: string): Readonly<Record<string, string>> {
  const elsewhere = other === undefined ? '' : `\nThis is not for other countries: see ${other}.\n`
  return {
    [`${name}/SKILL.md`]: `---
name: ${name}
description: Tells the customs form for parcels ${where}.
---

# Customs

Parcels ${where} need the form ${form}, in two copies.
${elsewhere}`,
  }
}
