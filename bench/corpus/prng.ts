export { Prng } from '../../src/kernel/prng.ts'
