// SPDX-License-Identifier: MIT

/// The promise's result, or an error where there is none after so many milliseconds.
export function within(milliseconds, what, promise) {
  let timer;
  const end = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} took more than ${milliseconds / 1000} s`)), milliseconds);
  });
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
}
