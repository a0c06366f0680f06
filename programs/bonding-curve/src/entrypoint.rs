//! Where the runtime enters: the hot instructions go to `hot`, the others to Anchor.

use std::{mem::MaybeUninit, slice};

use anchor_lang::solana_program::entrypoint::{custom_heap_default, custom_panic_default, deserialize, SUCCESS};
use pinocchio::{entrypoint::deserialize as deserialize_views, AccountView};

use crate::{
    entry,
    hot::{self, MOST_ACCOUNTS},
};

custom_heap_default!();
custom_panic_default!();

/// # Safety
/// `input` is the buffer in which the runtime passes an instruction.
#[allow(unsafe_code)]
#[no_mangle]
pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
    let mut views = [const { MaybeUninit::<AccountView>::uninit() }; MOST_ACCOUNTS];
    // SAFETY: the runtime's buffer is what this function reads, and it changes nothing in it, so that Anchor can still
    // read it. Were it otherwise, every test that calls an instruction of Anchor's would fail.
    let (program_id, count, data) = unsafe { deserialize_views::<MOST_ACCOUNTS>(input, &mut views) };
    // SAFETY: the call above initialised the first `count` views. The tests with too few accounts would break.
    let accounts = unsafe { slice::from_raw_parts_mut(views.as_mut_ptr().cast::<AccountView>(), count) };
    match hot::process(program_id, accounts, data) {
        Some(Ok(())) => SUCCESS,
        Some(Err(error)) => error.into(),
        None => anchor(input),
    }
}

/// A frame of its own: the hot instructions do not pay for it.
#[allow(unsafe_code)]
#[inline(never)]
fn anchor(input: *mut u8) -> u64 {
    // SAFETY: `input` is the runtime's untouched buffer, see above.
    let (program_id, accounts, data) = unsafe { deserialize(input) };
    entry(program_id, &accounts, data).map_or_else(Into::into, |()| SUCCESS)
}
