/** Whether the user's answer is a plain yes; all else is an instruction to act on. Pure. */
const YES = /^\s*(y|yes|yep|ok|okay|sure|go|go on|go ahead|do it|please do)[.! ]*$/i;

export const saysYes = (answer: string): boolean => YES.test(answer);
