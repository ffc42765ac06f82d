//! What names stand for.
//!
//! Frames lie in one vector until the evaluation is over, so that a function may keep the frame
//! it was made in without any cycle of owners.

use std::collections::HashMap;

use super::value::Value;

/// A frame, by its place.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) struct Scope(usize);

impl Scope {
    /// What stands in no function and no `let`.
    pub(super) const GLOBAL: Self = Self(0);
}

#[derive(Default)]
pub(super) struct Scopes<'f> {
    global: HashMap<&'f str, Value<'f>>,
    // The frame of a scope has the place one below the scope's.
    frames: Vec<Frame<'f>>,
}

struct Frame<'f> {
    parent: Scope,
    names: Vec<(&'f str, Value<'f>)>,
}

impl<'f> Scopes<'f> {
    /// A new frame within another.
    pub(super) fn within(&mut self, parent: Scope) -> Scope {
        self.frames.push(Frame {
            parent,
            names: Vec::new(),
        });
        Scope(self.frames.len())
    }

    pub(super) fn define(&mut self, scope: Scope, name: &'f str, value: Value<'f>) {
        match self.frame_mut(scope) {
            None => {
                self.global.insert(name, value);
            }
            Some(frame) => match frame.names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, old)) => *old = value,
                None => frame.names.push((name, value)),
            },
        }
    }

    /// What a name stands for, and how many names were passed to find it.
    pub(super) fn find(&self, mut scope: Scope, name: &str) -> (Option<&Value<'f>>, usize) {
        let mut passed = 0;
        while let Some(frame) = self.frame(scope) {
            if let Some((_, value)) = frame.names.iter().find(|(known, _)| *known == name) {
                return (Some(value), passed + frame.names.len());
            }
            passed += frame.names.len() + 1;
            scope = frame.parent;
        }
        let value = (!self.global.is_empty()).then(|| self.global.get(name));
        (value.flatten(), passed)
    }

    /// How many names a frame has; 0 for the global one, where none is passed to find another.
    pub(super) fn width(&self, scope: Scope) -> usize {
        self.frame(scope).map_or(0, |frame| frame.names.len())
    }

    /// Gives a name that is there another value. The name is given back if it is not there.
    pub(super) fn assign(
        &mut self,
        mut scope: Scope,
        name: &'f str,
        value: Value<'f>,
    ) -> Result<(), &'f str> {
        while let Some(frame) = self.frame(scope) {
            if frame.names.iter().any(|(known, _)| *known == name) {
                break;
            }
            scope = frame.parent;
        }
        if scope == Scope::GLOBAL && !self.global.contains_key(name) {
            return Err(name);
        }
        self.define(scope, name, value);
        Ok(())
    }

    fn frame(&self, scope: Scope) -> Option<&Frame<'f>> {
        self.frames.get(scope.0.checked_sub(1)?)
    }

    fn frame_mut(&mut self, scope: Scope) -> Option<&mut Frame<'f>> {
        self.frames.get_mut(scope.0.checked_sub(1)?)
    }
}
