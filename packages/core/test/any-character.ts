export { anyCharacter } from '@repertoire/test-servers/properties'
