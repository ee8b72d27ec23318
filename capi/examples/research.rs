// A research step of an agent, in Rust without a crate: a small safe binding, a walk over the pages
// of a search, and a page as markdown. Build it with
//   rustc --edition 2021 research.rs $(pkg-config --libs freshet)
use std::ffi::{c_char, c_void, CStr};
use std::{fmt, ptr, slice};

mod ffi {
    use super::{c_char, c_void};

    // Opaque: only ever behind a pointer.
    #[repr(C)]
    pub struct Client(c_void);
    #[repr(C)]
    pub struct Pages(c_void);
    #[repr(C)]
    pub struct Answer(c_void);
    pub type Log = Option<extern "C" fn(*mut c_void, *const c_char, *const c_char)>;

    pub const ABI: u32 = 1;

    #[link(name = "freshet")]
    extern "C" {
        pub fn freshet_error_name(number: i32) -> *const c_char;
        pub fn freshet_open(abi: u32, config: *const u8, size: usize, log: Log,
                            user_data: *mut c_void, out: *mut *mut Client) -> *mut Answer;
        pub fn freshet_client_free(client: *mut *mut Client);
        pub fn freshet_client_call(client: *mut Client, endpoint: *const u8, endpoint_size: usize,
                                   body: *const u8, body_size: usize, options: *const u8,
                                   options_size: usize) -> *mut Answer;
        pub fn freshet_client_pages(client: *mut Client, endpoint: *const u8, endpoint_size: usize,
                                    body: *const u8, body_size: usize, options: *const u8,
                                    options_size: usize, max_pages: i64, max_items: i64)
                                    -> *mut Pages;
        pub fn freshet_pages_next(pages: *mut Pages) -> *mut Answer;
        pub fn freshet_pages_free(pages: *mut *mut Pages);
        pub fn freshet_markdown(html: *const u8, size: usize, options: *const u8,
                                options_size: usize) -> *mut Answer;
        pub fn freshet_result_error(result: *const Answer) -> i32;
        pub fn freshet_result_body(result: *const Answer, size: *mut usize) -> *const u8;
        pub fn freshet_result_data(result: *const Answer, size: *mut usize) -> *const u8;
        pub fn freshet_result_retry_after_s(result: *const Answer) -> i64;
        pub fn freshet_result_free(result: *mut *mut Answer);
    }
}

/// What a call answers: the bytes of `data`, borrowed from it.
struct Answer(*mut ffi::Answer);

/// What a failed call says.
struct Problem {
    code: String,
    body: String,
    retry_after_s: Option<i64>,
}

impl fmt::Display for Problem {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "{}: {}", self.code, self.body)?;
        match self.retry_after_s {
            Some(wait) => write!(to, " (again in {wait} s)"),
            None => Ok(()),
        }
    }
}

impl Answer {
    fn take(result: *mut ffi::Answer) -> Result<Answer, Problem> {
        let answer = Answer(result);
        let number = unsafe { ffi::freshet_result_error(answer.0) };
        if number == 0 {
            return Ok(answer);
        }
        let name = unsafe { CStr::from_ptr(ffi::freshet_error_name(number)) };
        let wait = unsafe { ffi::freshet_result_retry_after_s(answer.0) };
        Err(Problem {
            code: name.to_string_lossy().into_owned(),
            body: answer.body().to_string(),
            retry_after_s: (wait >= 0).then_some(wait),
        })
    }

    fn body(&self) -> &str {
        let mut size = 0;
        let bytes = unsafe { ffi::freshet_result_body(self.0, &mut size) };
        std::str::from_utf8(unsafe { slice::from_raw_parts(bytes, size) }).unwrap_or("")
    }

    fn data(&self) -> &str {
        let mut size = 0;
        let bytes = unsafe { ffi::freshet_result_data(self.0, &mut size) };
        std::str::from_utf8(unsafe { slice::from_raw_parts(bytes, size) }).unwrap_or("")
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        unsafe { ffi::freshet_result_free(&mut self.0) }
    }
}

/// An engine in this process.
struct Client(*mut ffi::Client);

// The header says so: any number of threads may use a client at once.
unsafe impl Send for Client {}
unsafe impl Sync for Client {}

impl Client {
    fn open(config: &str) -> Result<Client, Problem> {
        let mut client = Client(ptr::null_mut());
        Answer::take(unsafe {
            ffi::freshet_open(ffi::ABI, config.as_ptr(), config.len(), None, ptr::null_mut(),
                              &mut client.0)
        })?;
        Ok(client)
    }

    fn call(&self, endpoint: &str, body: &str) -> Result<Answer, Problem> {
        Answer::take(unsafe {
            ffi::freshet_client_call(self.0, endpoint.as_ptr(), endpoint.len(), body.as_ptr(),
                                     body.len(), ptr::null(), 0)
        })
    }

    /// Every page, up to `max_items` items; an error is the last that comes.
    fn walk(&self, endpoint: &str, body: &str, max_items: i64) -> Pages {
        Pages(unsafe {
            ffi::freshet_client_pages(self.0, endpoint.as_ptr(), endpoint.len(), body.as_ptr(),
                                      body.len(), ptr::null(), 0, 0, max_items)
        })
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        unsafe { ffi::freshet_client_free(&mut self.0) }
    }
}

struct Pages(*mut ffi::Pages);

impl Iterator for Pages {
    type Item = Result<Answer, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_null() {
            return None;
        }
        let page = unsafe { ffi::freshet_pages_next(self.0) };
        if page.is_null() {
            return None;
        }
        let answer = Answer::take(page);
        if answer.is_err() {
            unsafe { ffi::freshet_pages_free(&mut self.0) }
        }
        Some(answer)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        unsafe { ffi::freshet_pages_free(&mut self.0) }
    }
}

fn markdown(html: &str) -> Result<Answer, Problem> {
    let options = r#"{"mode": "page"}"#;
    Answer::take(unsafe {
        ffi::freshet_markdown(html.as_ptr(), html.len(), options.as_ptr(), options.len())
    })
}

fn run() -> Result<(), Problem> {
    let client = Client::open("network.sandbox = true")?;
    // Two threads share the client: one walks, the other reads a page.
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            client.call("scrape/markdown", r#"{"url": "https://example.com/tide-gauges"}"#)
                .map(|document| document.data().to_string())
        });
        for page in client.walk("forum/search", r#"{"q": "climate", "limit": 10}"#, 25) {
            println!("{}", page?.data());
        }
        println!("{}", reader.join().expect("the thread ends")?);
        Ok(())
    })?;
    println!("{}", markdown("<h1>Tides</h1><p>High at <b>noon</b>.</p>")?.body());
    if let Err(problem) = client.call("forum/search", r#"{"sinse": "7d"}"#) {
        println!("{}", problem.code);
    }
    Ok(())
}

fn main() {
    if let Err(problem) = run() {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}
