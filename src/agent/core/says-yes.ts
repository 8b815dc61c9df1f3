/** Whether what the user answered is a plain yes; everything else is words to be acted on. Pure. */
const YES = /^\s*(y|yes|yep|ok|okay|sure|go|go on|go ahead|do it|please do)[.! ]*$/i;

export const saysYes = (answer: string): boolean => YES.test(answer);
