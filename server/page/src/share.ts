// curl returns the command that asks what the page asked.
export function curl(path: string, body: unknown): string {
  const text = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -s '${location.origin}${path}' -H 'Content-Type: application/json' -d '${text}'`;
}

// copy puts text on the clipboard and says so on the button for a moment.
export async function copy(button: HTMLElement, text: string): Promise<void> {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Without the right to write, or over plain HTTP from elsewhere.
    prompt("Copy this:", text);
  }
  setTimeout(() => (button.textContent = before), 1500);
}

// save offers a file for download.
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// busy does what takes a while, and says so on a button, which cannot be pressed meanwhile.
export async function busy<T>(button: HTMLElement, text: string, work: () => Promise<T>): Promise<T> {
  const before = button.textContent, focused = document.activeElement === button;
  button.textContent = text;
  button.toggleAttribute("disabled", true);
  try {
    return await work();
  } finally {
    button.textContent = before;
    button.toggleAttribute("disabled", false);
    if (focused && document.activeElement === document.body) button.focus();
  }
}
