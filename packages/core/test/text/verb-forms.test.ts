import { expect, it } from 'vitest'
import { verbForms } from '../../src/search/words.ts'

it.each([
  ['review', ['review', 'reviews', 'reviewed', 'reviewing']],
  ['plan', ['plan', 'plans', 'planed', 'planing', 'planned', 'planning']],
  ['visit', ['visit', 'visits', 'visited', 'visiting', 'visitted', 'visitting']],
  ['write', ['write', 'writes', 'writed', 'writing']],
  ['copy', ['copy', 'copies', 'copied', 'copying']],
  ['deploy', ['deploy', 'deploys', 'deployed', 'deploying']],
  ['cycle', ['cycle', 'cycles', 'cycled', 'cycling']],
  ['tie', ['tie', 'ties', 'tied', 'tying']],
  ['agree', ['agree', 'agrees', 'agreed', 'agreeing']],
  ['dye', ['dye', 'dyes', 'dyed', 'dyeing']],
  ['toe', ['toe', 'toes', 'toed', 'toeing']],
  ['push', ['push', 'pushes', 'pushed', 'pushing']],
  ['watch', ['watch', 'watches', 'watched', 'watching']],
  ['fix', ['fix', 'fixes', 'fixed', 'fixing']],
  ['pass', ['pass', 'passes', 'passed', 'passing']],
  ['buzz', ['buzz', 'buzzes', 'buzzed', 'buzzing']],
  ['go', ['go', 'goes', 'goed', 'going']],
  ['cough', ['cough', 'coughs', 'coughed', 'coughing']],
  ['set up', ['set up', 'sets up', 'seted up', 'seting up', 'setted up', 'setting up']],
  ['tidy up', ['tidy up', 'tidies up', 'tidied up', 'tidying up']],
  ['pdf', ['pdf']],
  ['x-ray', ['x-ray']],
  ['end-run', ['end-run']],
  ['7ify', ['7ify']],
  ['größen', ['größen']],
  ['', ['']],
])('[ACT-11] %j has the forms %j, and no others', (verb, forms) => {
  expect(verbForms(verb)).toEqual(forms)
})
