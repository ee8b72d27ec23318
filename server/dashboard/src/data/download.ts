// Hands a text to the browser as a file. A long one comes in parts: a blob of each is the browser's
// to keep, on the disk if it likes, and the page holds no more than one.
export function partOf(text: string): Blob {
  return new Blob([text]);
}

export function download(name: string, type: string, ...parts: (string | Blob)[]): void {
  const url = URL.createObjectURL(new Blob(parts, {type}));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
