/** A text of the owner's as it is kept: without blanks around it, cut to so many characters, none of which is cut in two. */
export function cutText(text: string, chars: number): string {
  return [...text.trim()].slice(0, chars).join("").trim();
}
