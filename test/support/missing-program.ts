/** A program that tests need is not here, and can't be installed. The message says what to do. */
export class MissingProgram extends Error {}
