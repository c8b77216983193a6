import process from 'node:process'
import { skillsAgent } from '../../src/v6/index.ts'
import { playChats } from '../chat-answers.ts'

process.stdout.write(JSON.stringify(await playChats(skillsAgent)))
